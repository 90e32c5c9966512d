# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""The package answers what the C interface answers, whatever the readings come in."""

import doctest
import gc
import subprocess
import sys
import threading

import fluidsplat as fs
import numpy as np
import pytest
from conftest import READINGS


@pytest.fixture
def points():
    return np.random.default_rng(1).uniform(-1, 3, (257, 2)).astype(np.float32)


def resident_mb():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096 / 1e6


# ---- the same numbers ----


def test_a_field_is_what_the_c_interface_gives(model, model_file, c_interface, points):
    expected = c_interface(model_file).run(points, READINGS, "field", 2)
    assert np.abs(expected).max() > 0.1
    np.testing.assert_array_equal(model.plan(points).reconstruct(READINGS).values, expected)


def test_other_outputs_are_what_the_c_interface_gives(calibrated, c_interface, points):
    c, plan = c_interface(calibrated.path), calibrated.plan(points)
    g = plan.gradient(READINGS)
    np.testing.assert_array_equal(g.values.reshape(257, 4), c.run(points, READINGS, "gradient", 4, gradients=1))
    np.testing.assert_array_equal(g.vorticity, c.run(points, READINGS, "vorticity", 1, gradients=1)[:, 0])
    np.testing.assert_allclose(g.divergence, g["u"][:, 0] + g["v"][:, 1], rtol=1e-4, atol=1e-5)
    b = plan.bands(READINGS, 0.8, side="upper", simultaneous=True)
    wish = {"level": 0.8, "side": 1, "simultaneous": 1}
    np.testing.assert_array_equal(b.upper.values, c.run(points, READINGS, "upper", 2, **wish))
    assert np.isneginf(b.lower.values).all() and "80" in b.guarantee
    average = plan.bands(READINGS, 0.8, on_average=True)
    expected = c.run(points, READINGS, "upper", 2, level=0.8, on_average=1)
    np.testing.assert_array_equal(average.upper.values, expected)
    assert not np.array_equal(expected, c.run(points, READINGS, "upper", 2, level=0.8))
    np.testing.assert_array_equal(plan.scaffold(READINGS).values, c.run(points, READINGS, "primitive", 2))


def test_bands_hold_the_field_and_grow_with_the_level(calibrated, points):
    plan = calibrated.plan(points)
    narrow, wide = plan.bands(READINGS, 0.5), plan.bands(READINGS, 0.9)
    assert (wide.width("u") > narrow.width("u")).all()
    np.testing.assert_array_equal(wide.field.values, plan.reconstruct(READINGS).values)


def test_gradients_are_slopes(model, points):
    step = 1e-2
    slope = model.plan(points).gradient(READINGS)["u"][:, 0]
    ahead, behind = (model.plan(points + np.float32([s, 0])).reconstruct(READINGS)["u"] for s in (step, -step))
    np.testing.assert_allclose(slope, (ahead - behind) / (2 * step), atol=2e-3 * np.abs(slope).max())


def test_primitives_make_the_scaffold(model, points):
    """The mean of the amplitudes by weight and distance, which the scaffold is, from the Gaussians in physical units."""
    p = model.plan(points).primitives(READINGS)
    assert p.centres.shape == (9, 2) and (p.weights > 0).all() and (p.weights < 1).all()
    lengths = np.linalg.norm(p.axes, axis=-1)
    assert (lengths[:, 0] >= lengths[:, 1]).all()
    np.testing.assert_allclose(np.einsum("kij,klj->kil", p.axes, p.axes)[:, 0, 1], 0, atol=1e-9)
    # along each axis the distance is 1: the Gaussian has fallen to exp(-1/2)
    inverse = np.linalg.inv(p.axes)
    away = np.einsum("nkd,kde->nke", points[:, None] - p.centres, inverse)
    phi = p.weights * np.exp(-0.5 * (away**2).sum(-1))
    plan, values = model.plan(points)._plan(), np.empty((1, 257), np.float32)
    plan.run(np.float32([READINGS]), None, {"mass": values})
    np.testing.assert_allclose(phi.sum(1), values[0], rtol=2e-3, atol=1e-5)


def test_a_grid_is_points_in_order(model):
    field = model.plan(grid=(7, 4)).reconstruct(READINGS)
    assert field.values.shape == (4, 7, 2)
    x, y = np.linspace(-1, 5, 7), np.linspace(-1, 3, 4)
    np.testing.assert_allclose(field.points.reshape(4, 7, 2)[2, 5], [x[5], y[2]], rtol=1e-6)
    alone = model.plan(field.points[2 * 7 + 5 : 2 * 7 + 6]).reconstruct(READINGS)
    np.testing.assert_allclose(field.values[2, 5], alone.values[0], rtol=1e-5, atol=1e-6)


# ---- readings in every dress ----


def test_many_instants_are_one_after_another(model, points):
    plan, readings = model.plan(points), np.random.default_rng(2).normal(size=(5, 9))
    together = plan.reconstruct(readings)
    assert together.values.shape == (5, 257, 2)
    for i in range(5):
        np.testing.assert_array_equal(together.values[i], plan.reconstruct(readings[i]).values)
    assert model.plan(points).reconstruct(np.empty((0, 9))).values.shape == (0, 257, 2)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f4", "i4", "u1"])
def test_any_real_type_and_layout(model, points, dtype):
    plan, whole = model.plan(points), np.arange(9) % 3
    expected = plan.reconstruct(whole.astype(np.float32)).values
    np.testing.assert_array_equal(plan.reconstruct(whole.astype(dtype)).values, expected)
    strided = np.zeros((9, 4), dtype)
    strided[:, 1] = whole
    np.testing.assert_array_equal(plan.reconstruct(strided[:, 1]).values, expected)
    np.testing.assert_array_equal(plan.reconstruct(np.asfortranarray([whole, whole], dtype)).values[1], expected)


def test_readings_by_name(model, points):
    plan = model.plan(points)
    assert plan.readings[:2] == ("s1.u", "s1.v") and plan.readings[-1] == "s5.u"
    expected = plan.reconstruct(READINGS).values
    named = dict(zip(plan.readings, READINGS))
    np.testing.assert_array_equal(plan.reconstruct(named).values, expected)
    named["s5"] = named.pop("s5.u")  # a sensor that measures one channel may stand alone
    np.testing.assert_array_equal(plan.reconstruct(named).values, expected)
    silent = np.array(READINGS)
    silent[3] = np.nan
    del named["s2.v"]
    np.testing.assert_array_equal(plan.reconstruct(named).values, plan.reconstruct(silent).values)


def test_frames_and_series_of_pandas(demanding, points):
    pandas = pytest.importorskip("pandas")
    plan = demanding.plan(points, features={"q0": points[:, 0], "q1": points[:, 1], "more": points[:, 0]})
    rows = np.random.default_rng(3).normal(size=(4, 9))
    told = np.linspace(0, 1, 4)
    expected = plan.reconstruct(rows, told[:, None]).values
    assert np.abs(expected[0] - plan.reconstruct(rows, told[::-1, None]).values[0]).max() > 1e-4
    frame = pandas.DataFrame(rows, columns=plan.readings).assign(time=range(4), q0=told)
    np.testing.assert_array_equal(plan.reconstruct(frame[frame.columns[::-1]]).values, expected)
    np.testing.assert_array_equal(plan.reconstruct(frame.iloc[2]).values, expected[2])


def test_readings_in_float32_are_not_copied(model, points):
    plan, readings = model.plan(points), np.zeros((3, 9), np.float32)
    assert plan._names.take(readings, None)[0] is readings
    assert np.shares_memory(model.plan(points).points, points)
    out = np.empty((3, 257, 2), np.float32)
    assert np.shares_memory(plan.reconstruct(readings, out=out).values, out)
    np.testing.assert_array_equal(out, plan.reconstruct(readings).values)


def test_other_sensors(model, points):
    own = model.sensor_positions
    same = model.plan(points, sensors=own)
    assert same.readings == model.readings
    np.testing.assert_array_equal(same.reconstruct(READINGS).values, model.plan(points).reconstruct(READINGS).values)
    moved = model.plan(points, sensors=own + 0.1)
    assert len(moved.readings) == 10  # a new one measures every channel
    assert np.isfinite(moved.reconstruct(np.zeros(10)).values).all()


# ---- sensors, forces ----


def test_sensors_are_checked(calibrated, points):
    plan = calibrated.plan(points)
    said = np.array(READINGS)
    said[2:4] = np.nan  # all that the second sensor measures
    check = plan.check_sensors(said)
    assert [f.sensor for f in check.findings] == list(calibrated.sensors)
    assert check.findings[1].state == "silent" and np.isnan(check.readings[2:4]).all()
    assert "s2 silent" in repr(check) and 0 < check.false_alarms < 1
    for sensor, finding in enumerate(check.findings):
        mine = [i for i, name in enumerate(plan.readings) if name.startswith(finding.sensor + ".")]
        assert np.isnan(check.readings[mine]).all() == (finding.state != "fine"), sensor


def test_a_uniform_pressure_pushes_a_closed_wall_nowhere(model):
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    normals = np.stack([np.cos(angle), np.sin(angle)], 1)
    field = model.plan(normals).reconstruct(READINGS)
    areas = np.full(400, 2 * np.pi / 400)
    field.values[:] = 3
    np.testing.assert_allclose(field.force(normals, areas, "u"), 0, atol=1e-12)
    field.values[:, 0] = normals[:, 0]  # p = cos: the integral of cos^2 is pi
    np.testing.assert_allclose(field.force(normals, areas, "u"), [-np.pi, 0], atol=1e-5)


# ---- what is wrong is said ----


def test_wrong_input_is_told_and_nothing_breaks(model, demanding, points, tmp_path):
    plan = model.plan(points)
    for wrong, text in [
        (READINGS[:3], "the sensors measure 9 values"),
        (np.zeros((2, 3, 9)), r"shape \(2, 3, 9\)"),
        (np.float64(1), "the sensors measure 9"),
        (np.zeros(9, complex), "complex128; real numbers are needed"),
        (["a"] * 9, "real numbers"),
        ([None] * 9, "real numbers"),
        ({"s1.U": 1}, 'unknown "s1.U", did you mean "s1.u"'),
        ({}, "none is given"),
        ({"s5": 1, "s5.u": 1}, "mean the same"),
        ({"s1.u": [1, 2], "s1.v": [1, 2, 3]}, "shapes differ"),
    ]:
        with pytest.raises(fs.Error, match=text):
            plan.reconstruct(wrong)
    with pytest.raises(fs.Error, match="has no descriptors"):
        plan.reconstruct(READINGS, [1.0])
    with pytest.raises(fs.Error, match="infinite|finite"):
        plan.reconstruct(np.full(9, 1e300))
    for out in (np.empty((257, 2)), np.empty((256, 2), np.float32), np.empty((257, 4), np.float32)[:, ::2], "x"):
        with pytest.raises(fs.Error, match="field"):
            plan.reconstruct(READINGS, out=out)
    fixed = np.empty((257, 2), np.float32)
    fixed.setflags(write=False)
    with pytest.raises(fs.Error, match="read-only"):
        plan.reconstruct(READINGS, out=fixed)
    with pytest.raises(fs.Error, match="no calibration"):
        plan.bands(READINGS, 0.9)
    with pytest.raises(fs.Error, match="no calibration"):
        plan.check_sensors(READINGS)
    with pytest.raises(fs.Error, match='no channel "p"'):
        plan.reconstruct(READINGS)["p"]
    for wrong in (np.zeros((5, 3)), np.zeros(5), "nonsense"):
        with pytest.raises(fs.Error):
            model.plan(wrong)
    with pytest.raises(fs.Error, match="in one way"):
        model.plan()
    with pytest.raises(fs.Error, match="2 numbers of points"):
        model.plan(grid=(5, 5, 5))
    with pytest.raises(fs.Error, match="needs features at every point: q0, q1"):
        demanding.plan(points)
    with pytest.raises(fs.Error, match="features"):
        demanding.plan(points, features=np.zeros((3, 2)))
    with pytest.raises(fs.Error, match="needs descriptors: q0"):
        demanding.plan(points, features=points).reconstruct(READINGS)
    with pytest.raises(fs.Error, match="no-such-file"):
        fs.open(tmp_path / "no-such-file")
    hostile = tmp_path / "hostile.safetensors"
    hostile.write_bytes(b"\xff" * 64)
    with pytest.raises(fs.Error, match="hostile"):
        fs.open(hostile)


# ---- memory, threads, size ----


def test_memory_does_not_grow(model_file, points):
    def once():
        plan = fs.open(model_file).plan(np.repeat(points, 20, axis=0))
        plan.gradient(READINGS)
        plan.reconstruct(np.zeros((20, 9)))

    for _ in range(30):
        once()
    gc.collect()
    before = resident_mb()
    for _ in range(150):
        once()
    gc.collect()
    assert resident_mb() - before < 8, "each round takes more than 1 MB"


def test_threads_share_a_model_and_a_plan(model, points):
    shared, rows = model.plan(points), np.random.default_rng(4).normal(size=(8, 9))
    expected = [shared.reconstruct(r).values for r in rows]
    slopes = [shared.gradient(r).values for r in rows]
    gaussians = [shared.primitives(r).centres for r in rows]
    wrong = []

    def work(i):
        own = model.plan(points)
        for _ in range(20):
            for plan in (own, shared):
                same = (
                    np.array_equal(plan.reconstruct(rows[i]).values, expected[i])
                    and np.array_equal(plan.gradient(rows[i]).values, slopes[i])
                    and np.array_equal(plan.primitives(rows[i]).centres, gaussians[i])
                )
                if not same:
                    wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_others_run_while_it_computes(model):
    """The interpreter's lock is released: another thread counts on while a long batch runs."""
    plan = model.plan(grid=(300, 300))
    done, counted = threading.Event(), []

    def work():
        plan.reconstruct(np.zeros((20, 9), np.float32))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        counted.append(1)
    thread.join()
    assert len(counted) > 10


def test_the_module_is_small_and_needs_no_framework():
    import os

    module = fs._model._runtime.__file__
    assert os.path.getsize(module) < 5e6
    code = "import sys, fluidsplat; print([m for m in ('torch', 'matplotlib', 'pandas', 'sklearn') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    needs = subprocess.run(["ldd", module], capture_output=True, text=True).stdout
    assert "libstdc++" in needs and not any(name in needs for name in ("torch", "vtk", "hdf5"))


def test_the_examples_in_the_documentation_work(model, model_file):
    from fluidsplat import _field, _model

    names = {"fs": fs, "np": np, "model_file": model_file, "model": model, "plan": model.plan(grid=(40, 20))}
    tried = 0
    for module in (fs, _model, _field):
        for test in doctest.DocTestFinder().find(module, extraglobs=names, globs=None):
            result = doctest.DocTestRunner().run(test)
            assert result.failed == 0, test.name
            tried += result.attempted
    assert tried >= 8


def test_reprs_tell(model, calibrated):
    assert repr(model).startswith("<fluidsplat.Model: u [m], v [m] in 2-D from 5 sensors (9 readings); 9 primitives")
    assert "bands up to 0.975" in repr(calibrated)
    plan = calibrated.plan(np.zeros((3, 2)))
    assert repr(plan) == "<fluidsplat.Plan: u, v at 3 points from 9 readings>"
    assert repr(plan.reconstruct(READINGS)) == "<fluidsplat.Field: u [m], v [m] at 3 points>"
    assert "0.9 around <fluidsplat.Field" in repr(plan.bands(READINGS))
    assert repr(plan.primitives(READINGS)) == "<fluidsplat.Primitives: 9 Gaussians in 2-D>"
    assert "with vorticity" in repr(plan.gradient(READINGS))

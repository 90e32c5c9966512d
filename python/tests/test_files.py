# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""Files for ParaView and meshes from it, held against the program, which reads and writes them with VTK."""

import subprocess

import fluidsplat as fs
import numpy as np
import pytest
from conftest import BUILD, READINGS
from fluidsplat import _vtk


@pytest.fixture
def readings_csv(model, tmp_path):
    path = tmp_path / "readings.csv"
    path.write_text(",".join(model.readings) + "\n" + ",".join(map(str, READINGS)) + "\n")
    return path


def reconstruct(model, readings, out, *words):
    program = [BUILD / "fluidsplat", "reconstruct", model.path, "--readings", readings, "--out", out, *words]
    return subprocess.run(program, capture_output=True, text=True)


def test_the_program_reads_our_mesh_and_we_read_its_field(model, readings_csv, tmp_path):
    points = np.random.default_rng(5).uniform([-1, -1], [5, 3], (60, 2))
    field = model.plan(points).reconstruct(READINGS)
    mesh = field.to_vtk(tmp_path / "mesh")
    assert mesh.endswith("mesh.vtu")
    done = reconstruct(model, readings_csv, tmp_path / "out", "--mesh", mesh)
    assert done.returncode == 0, done.stderr
    (theirs,) = (tmp_path / "out").glob("*.vtu")
    read_points, cells, data = _vtk.read(str(theirs))
    np.testing.assert_array_equal(read_points[:, :2], field.points)
    assert cells is not None
    for name in ("u", "v"):
        np.testing.assert_allclose(data[name].ravel(), field[name], rtol=1e-5, atol=1e-6)
    # its file as our mesh
    plan = model.plan(mesh=theirs)
    assert repr(plan).startswith(f"<fluidsplat.Plan: u, v at 60 points of {theirs.name}")
    np.testing.assert_array_equal(plan.reconstruct(READINGS).values, field.values)


def test_grids_are_the_programs_grids(model, readings_csv, tmp_path):
    done = reconstruct(model, readings_csv, tmp_path / "out", "--grid", "9x5")
    assert done.returncode == 0, done.stderr
    (theirs,) = (tmp_path / "out").glob("*.vti")
    field = model.plan(grid=(9, 5)).reconstruct(READINGS)
    points, _, data = _vtk.read(str(theirs))
    np.testing.assert_allclose(points[:, :2], field.points, rtol=1e-5)
    np.testing.assert_allclose(data["u"].ravel(), field["u"].ravel(), rtol=1e-4, atol=1e-5)
    ours = field.to_vtk(tmp_path / "grid.vti")
    again, _, data = _vtk.read(ours)
    np.testing.assert_allclose(again, points, atol=1e-5)
    np.testing.assert_array_equal(data["v"], field["v"].ravel())


def test_many_instants_are_a_series(model, tmp_path):
    field = model.plan(grid=(4, 3)).reconstruct(np.random.default_rng(6).normal(size=(3, 9)))
    pvd = field.to_vtk(tmp_path / "series.pvd")
    text = open(pvd).read()
    for i in range(3):
        assert f'timestep="{i}" file="series_000{i}.vti"' in text
        data = _vtk.read(str(tmp_path / f"series_000{i}.vti"))[2]
        np.testing.assert_array_equal(data["u"], field["u"][i].ravel())


def test_bands_go_into_one_file(calibrated, tmp_path):
    bands = calibrated.plan(grid=(4, 3)).bands(READINGS, 0.9)
    data = _vtk.read(bands.to_vtk(tmp_path / "bands"))[2]
    assert set(data) == {a + b for a in "uv" for b in ("", "_lower", "_upper", "_scale")}
    np.testing.assert_array_equal(data["v_upper"], bands.upper["v"].ravel())


def test_meshes_as_objects_give_points_and_features(demanding):
    class Mesh:
        points = np.zeros((5, 3))
        point_data = {"q0": np.arange(5.0), "q1": np.ones(5)}

    plan = demanding.plan(mesh=Mesh())
    expected = demanding.plan(np.zeros((5, 2)), features=np.stack([np.arange(5), np.ones(5)], 1))
    np.testing.assert_array_equal(
        plan.reconstruct(READINGS, [0.5]).values, expected.reconstruct(READINGS, [0.5]).values
    )
    assert repr(demanding.plan(Mesh())).startswith("<fluidsplat.Plan: u, v at the 5 points of a Mesh")


def test_every_encoding_is_read(tmp_path):
    """The same numbers in the encodings of VTK's documentation, put together by hand."""
    import base64
    import struct
    import zlib

    raw = np.arange(6, dtype="<f4").tobytes()
    head = '<VTKFile type="PolyData" byte_order="LittleEndian" header_type="UInt32"{}>'
    piece = '<PolyData><Piece NumberOfPoints="2"><Points><DataArray type="Float32" NumberOfComponents="3" {}</DataArray>'
    end = "</Points></Piece></PolyData>"
    packed = zlib.compress(raw)
    lengths = struct.pack("<4I", 1, len(raw), 0, len(packed))
    plain = struct.pack("<I", len(raw)) + raw
    compressor = ' compressor="vtkZLibDataCompressor"'
    appended = '<AppendedData encoding="{}">_'
    b64 = base64.b64encode
    files = {
        "ascii": head.format("") + piece.format('format="ascii">0 1 2 3 4 5') + end + "</VTKFile>",
        "binary": head.format("") + piece.format('format="binary">' + b64(plain).decode()) + end + "</VTKFile>",
        "zlib": head.format(compressor)
        + piece.format('format="binary">' + (b64(lengths) + b64(packed)).decode()) + end + "</VTKFile>",
        "appended": head.format("").encode() + piece.format('format="appended" offset="0">').encode() + end.encode()
        + appended.format("raw").encode() + plain + b"</AppendedData></VTKFile>",
        "appended-zlib": head.format(compressor).encode() + piece.format('format="appended" offset="0">').encode()
        + end.encode() + appended.format("base64").encode() + b64(lengths) + b64(packed) + b"</AppendedData></VTKFile>",
    }  # fmt: skip
    for name, text in files.items():
        path = tmp_path / f"{name}.vtp"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        np.testing.assert_array_equal(_vtk.read(str(path))[0], np.arange(6).reshape(2, 3), err_msg=name)
    # cut short: an error that names the file, never a crash
    for name, text in files.items():
        whole = text if isinstance(text, bytes) else text.encode()
        for length in range(0, len(whole) - 1, 7):
            path = tmp_path / f"cut-{name}.vtp"
            path.write_bytes(whole[:length])
            with pytest.raises(fs.Error, match=f"cut-{name}"):
                _vtk.read(str(path))


def test_a_flat_model_refuses_a_mesh_in_space(model, tmp_path):
    class Mesh:
        points = np.random.default_rng(7).uniform(size=(5, 3))

    with pytest.raises(fs.Error, match="not flat"):
        model.plan(mesh=Mesh())
    with pytest.raises(fs.Error, match="no-such.vtu"):
        model.plan(mesh=tmp_path / "no-such.vtu")
    with pytest.raises(fs.Error, match="cannot write"):
        model.plan(grid=(3, 3)).reconstruct(READINGS).to_vtk(tmp_path / "no-folder" / "x")


def test_pictures(model, tmp_path):
    pytest.importorskip("matplotlib")
    import matplotlib.pyplot as plt

    for plan in (model.plan(grid=(20, 10)), model.plan(np.random.default_rng(8).uniform(size=(50, 2)))):
        ax = plan.reconstruct(READINGS).plot("v", cmap="RdBu")
        assert ax.get_xlabel() == "x" and any("v [m]" in a.get_ylabel() for a in ax.figure.axes)
        ax.figure.savefig(tmp_path / "field.png")
        assert (tmp_path / "field.png").stat().st_size > 3000
        plt.close(ax.figure)

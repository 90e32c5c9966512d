# SPDX-FileCopyrightText: The fluidsplat authors
# SPDX-License-Identifier: Apache-2.0
"""VTK's XML files without VTK: points, cells and point data in; fields on grids, meshes and points out.

Arrays are read in every encoding that VTK writes (ascii, base64, appended base64 or raw, each with or without zlib) and
written as base64.
"""

from __future__ import annotations

import base64
import os
import tempfile
import xml.etree.ElementTree as ElementTree
import zlib
from xml.sax.saxutils import quoteattr

import numpy as np

from ._runtime import Error

_TYPES = {
    "Float32": "f4", "Float64": "f8", "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4",
    "UInt32": "u4", "Int64": "i8", "UInt64": "u8",
}  # fmt: skip
_NAMES = {np.dtype(code): name for name, code in _TYPES.items()}
_VERTEX, _POLYGON = 1, 7


# ---- reading ----


class _File:
    """The XML of a file with its arrays."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError as e:
            raise Error(f"{path}: {e.strerror}") from None
        self._appended = b""
        begin = text.find(b"<AppendedData")
        if begin >= 0:
            # Raw bytes are no XML: they are cut out before it is parsed.
            start, end = text.find(b"_", begin) + 1, text.rfind(b"</AppendedData>")
            self._appended = text[start:end]
            text = text[:start] + text[end:]
        try:
            self.root = ElementTree.fromstring(text)
        except ElementTree.ParseError as e:
            raise Error(f"{path}: not a VTK file of the XML kind (.vti, .vtu, .vtp): {e}") from None
        if self.root.tag != "VTKFile" or len(self.root) == 0:
            raise Error(f"{path}: not a VTK file of the XML kind (.vti, .vtu, .vtp)")
        self._order = "<" if self.root.get("byte_order", "LittleEndian") == "LittleEndian" else ">"
        self._header = np.dtype(self._order + _TYPES[self.root.get("header_type", "UInt32")])
        self._zlib = self.root.get("compressor") == "vtkZLibDataCompressor"
        if self.root.get("compressor") and not self._zlib:
            raise Error(f"{path}: compressed by {self.root.get('compressor')}, of which only zlib is read here")
        appended = self.root.find("AppendedData")
        self._raw = appended is not None and appended.get("encoding") == "raw"

    def array(self, element):
        """The numbers of a DataArray, [tuples, components] if it has several."""
        name = element.get("Name", "an array")
        try:
            values = self._values(element)
        except (ValueError, KeyError, IndexError, zlib.error) as e:
            raise Error(f"{self.path}: {name} cannot be read: {e}") from None
        width = int(element.get("NumberOfComponents") or 1)
        if width < 1 or values.size % width:
            raise Error(f"{self.path}: {name} has {values.size} numbers, not a multiple of {width}")
        return values.reshape(-1, width) if width > 1 else values

    def _values(self, element):
        code = np.dtype(_TYPES[element.get("type")])
        form = element.get("format", "ascii")
        if form == "ascii":
            return np.array((element.text or "").split(), code)
        if form == "appended":
            data = self._appended[int(element.get("offset")) :]
            packed = self._raw
        else:
            data, packed = (element.text or "").strip().encode(), False
        return np.frombuffer(self._unpacked(data, packed), code.newbyteorder(self._order)).astype(code)

    def _unpacked(self, data, raw):
        size = self._header.itemsize

        def numbers(count):
            length = count * size
            part = data[:length] if raw else base64.b64decode(data[: (length + 2) // 3 * 4])
            if len(part) < length:
                raise ValueError("the file ends too early")
            return [int(n) for n in np.frombuffer(part[:length], self._header)]

        if not self._zlib:
            (length,) = numbers(1)
            # Base64 of header and numbers is one piece when nothing is compressed.
            whole = data[: size + length] if raw else base64.b64decode(data[: (size + length + 2) // 3 * 4])
            if len(whole) < size + length:
                raise ValueError("the file ends too early")
            return whole[size : size + length]
        blocks = numbers(1)[0]
        if blocks > len(data):
            raise ValueError("the file ends too early")
        lengths = numbers(3 + blocks)[3:]
        head = (3 + blocks) * size
        rest = data[head:] if raw else base64.b64decode(data[(head + 2) // 3 * 4 :][: (sum(lengths) + 2) // 3 * 4])
        out, at = [], 0
        for length in lengths:
            out.append(zlib.decompress(rest[at : at + length]))
            at += length
        return b"".join(out)


def read(path):
    """(points [n, 3], cells (connectivity, offsets, types) or None, point data by name) of a .vti, .vtu or .vtp file."""
    file = _File(path)
    kind = file.root.get("type")
    piece = file.root[0].find("Piece")
    readers = {"ImageData": _image, "UnstructuredGrid": _unstructured, "PolyData": _polygons}
    if kind not in readers or piece is None:
        raise Error(f"{path}: a VTK file of the kind {kind}; ImageData, UnstructuredGrid and PolyData are read")
    points, cells = readers[kind](file, piece)
    data = {e.get("Name"): file.array(e) for e in piece.findall("PointData/DataArray") if e.get("type") in _TYPES}
    return points, cells, data


def _image(file, piece):
    grid = file.root[0]
    extent = [int(n) for n in piece.get("Extent", grid.get("WholeExtent", "")).split()]
    origin, spacing = ([float(n) for n in grid.get(key, "").split()] for key in ("Origin", "Spacing"))
    if len(extent) != 6 or len(origin) != 3 or len(spacing) != 3:
        raise Error(f"{file.path}: extent, origin or spacing is missing")
    axes = [origin[a] + spacing[a] * np.arange(extent[2 * a], extent[2 * a + 1] + 1) for a in range(3)]
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1), None


def _point_array(file, piece):
    element = piece.find("Points/DataArray")
    if element is None:
        raise Error(f"{file.path}: it has no points")
    return file.array(element).reshape(-1, 3)


def _unstructured(file, piece):
    parts = {e.get("Name"): file.array(e) for e in piece.findall("Cells/DataArray")}
    wanted = ("connectivity", "offsets", "types")
    polyhedra = any(t == 42 for t in parts.get("types", ()))
    cells = tuple(parts[n] for n in wanted) if all(n in parts for n in wanted) and not polyhedra else None
    return _point_array(file, piece), cells


def _polygons(file, piece):
    parts = {e.get("Name"): file.array(e) for e in piece.findall("Polys/DataArray")}
    cells = None
    if len(parts.get("offsets", ())) > 0:
        cells = (parts["connectivity"], parts["offsets"], np.full(len(parts["offsets"]), _POLYGON, np.uint8))
    return _point_array(file, piece), cells


# ---- writing ----


def _data_array(name, values):
    values = np.ascontiguousarray(values)
    width = values.shape[1] if values.ndim == 2 else 1
    payload = base64.b64encode(np.uint64(values.nbytes).tobytes() + values.tobytes()).decode()
    return (
        f'<DataArray type="{_NAMES[values.dtype]}" Name={quoteattr(name)} NumberOfComponents="{width}" '
        f'format="binary">{payload}</DataArray>\n'
    )


def _in_space(points):
    return np.pad(points, ((0, 0), (0, 3 - points.shape[1]))).astype(np.float32)


def _document(kind, body):
    return (
        f'<?xml version="1.0"?>\n<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian" '
        f'header_type="UInt64">\n{body}</VTKFile>\n'
    )


def _with_ending(path, ending):
    path = os.fspath(path)
    return path if path.endswith(ending) else os.path.splitext(path)[0] + ending


def _save(path, text):
    """All or nothing: a file that is there is whole."""
    folder = os.path.dirname(path) or "."
    try:
        with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".tmp", delete=False) as file:
            name = file.name
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as e:
        raise Error(f"{path}: cannot write: {e.strerror}") from None
    return path


def write(path, places, arrays):
    """Writes point data by name, each [points] or of the grid's shape, for one instant; returns the file's name."""
    count = len(places.points)
    data = "".join(_data_array(name, values.reshape(count, *values.shape[max(len(places.shape), 1) :]))
                   for name, values in arrays.items())  # fmt: skip
    data = f"<PointData>\n{data}</PointData>\n"
    if places.shape:
        axes = places.axes() + [np.zeros(1)] * (3 - len(places.shape))
        extent = " ".join(f"0 {len(a) - 1}" for a in axes)
        origin = " ".join(repr(float(a[0])) for a in axes)
        spacing = " ".join(repr((float(a[-1]) - float(a[0])) / (len(a) - 1)) if len(a) > 1 else "1" for a in axes)
        body = (
            f'<ImageData WholeExtent="{extent}" Origin="{origin}" Spacing="{spacing}">\n'
            f'<Piece Extent="{extent}">\n{data}</Piece>\n</ImageData>\n'
        )
        return _save(_with_ending(path, ".vti"), _document("ImageData", body))
    connectivity, offsets, types = places.cells or (
        np.arange(count), np.arange(1, count + 1), np.full(count, _VERTEX)
    )  # fmt: skip
    cells = (
        _data_array("connectivity", np.asarray(connectivity, np.int64))
        + _data_array("offsets", np.asarray(offsets, np.int64))
        + _data_array("types", np.asarray(types, np.uint8))
    )
    body = (
        f'<UnstructuredGrid>\n<Piece NumberOfPoints="{count}" NumberOfCells="{len(offsets)}">\n'
        f"<Points>\n{_data_array('Points', _in_space(places.points))}</Points>\n<Cells>\n{cells}</Cells>\n{data}"
        "</Piece>\n</UnstructuredGrid>\n"
    )
    return _save(_with_ending(path, ".vtu"), _document("UnstructuredGrid", body))


def write_series(path, places, arrays):
    """The same for arrays with a leading axis of instants: a .pvd that names one file each."""
    path = _with_ending(path, ".pvd")
    stem = path[: -len(".pvd")]
    entries = ""
    for i in range(len(next(iter(arrays.values())))):
        name = write(f"{stem}_{i:04d}.vt", places, {key: values[i] for key, values in arrays.items()})
        entries += f'<DataSet timestep="{i}" file={quoteattr(os.path.basename(name))}/>\n'
    return _save(path, _document("Collection", f"<Collection>\n{entries}</Collection>\n"))

// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "import/array_frames.h"

#include "base/error.h"

namespace fluidsplat::importing {

ArrayFrames::ArrayFrames(ArraySource source, Axes axes) : source_(std::move(source)), axes_(std::move(axes)) {}

field::Matrix ArrayFrames::read(Index index) {
  if (axes_.letters.front() == 't') return arrange(source_.rows(index, 1).data(), axes_.extent('n'));
  if (whole_.empty()) whole_ = source_.rows(0, axes_.shape.front());
  return arrange(whole_.data() + index * axes_.stride('t'), axes_.extent('n'));
}

field::Matrix ArrayFrames::read_points(Index first, Index count) {
  return arrange(source_.rows(first, count).data(), count);
}

// From the stored order to one row per point; `values` begin at the case's first element.
field::Matrix ArrayFrames::arrange(const float* values, Index points) const {
  const Index nz = axes_.extent('z'), ny = axes_.extent('y'), nx = axes_.extent('x'), nc = axes_.extent('c');
  const Index sz = axes_.stride('z'), sy = axes_.stride('y'), sx = axes_.stride('x'), sn = axes_.stride('n'),
              sc = axes_.stride('c');
  field::Matrix out(nz * ny * nx * points, nc);
  float* to = out.data();
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x)
        for (Index n = 0; n < points; ++n) {
          const float* from = values + z * sz + y * sy + x * sx + n * sn;
          for (Index c = 0; c < nc; ++c) *to++ = from[c * sc];
        }
  return out;
}

ArrayFrames open_companion(const std::filesystem::path& file, const std::string& reference, const Axes& data,
                           bool components, const char* what) {
  auto source = ArraySource::open(file, reference);
  const auto place = data.place_as_stored();
  std::vector<Index> expected;
  for (char letter : place) expected.push_back(data.extent(letter));
  const auto& shape = source.shape();
  Axes axes{place, shape};
  if (components) axes.letters += 'c';
  if (shape.size() == axes.letters.size() + 1) axes.letters = "t" + axes.letters;
  const bool by_case = axes.letters.front() == 't';
  bool fits = shape.size() == axes.letters.size();
  for (std::size_t i = 0; fits && i < expected.size(); ++i) fits = shape[i + by_case] == expected[i];
  if (fits && by_case) fits = shape[0] == data.extent('t');
  if (!fits)
    fail("{}: the {} has the shape {}; the data of layout {} need {}{}", source.label(), what, io::shape_text(shape),
         data.letters, io::shape_text(expected), components ? " and an axis of components after it" : "");
  return ArrayFrames(std::move(source), std::move(axes));
}

}  // namespace fluidsplat::importing

package io.actiongovernance.archive;

import io.actiongovernance.store.Key;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The lines of an object, each with the key of its row. Immutable. */
record Lines(List<Line> all, long size) {
  /**
   * A line.
   *
   * @param text to be read by {@link RowLine#item(String)}
   */
  record Line(Key key, String text) {}

  Lines {
    all = List.copyOf(all);
  }

  /** Those of an object's content, which is whole. */
  static Lines of(byte[] content) {
    String text = new String(Zstd.plain(content), StandardCharsets.UTF_8);
    return new Lines(
        text.lines().map(line -> new Line(RowLine.key(line), line)).toList(), text.length());
  }
}

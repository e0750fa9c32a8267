package io.actiongovernance.archive;

import java.util.HexFormat;

/** How many lines, and the sum of their parts: the same for the same lines in any order. */
record Tallied(long rows, long sum) {
  static final Tallied NONE = new Tallied(0, 0);

  Tallied with(RowLine line) {
    return new Tallied(rows + 1, sum + line.part());
  }

  Tallied with(Manifest.Part part) {
    return new Tallied(rows + part.rows(), sum + Long.parseUnsignedLong(part.sum(), 16));
  }

  /** The sum as a manifest has it. */
  String hex() {
    return HexFormat.of().toHexDigits(sum);
  }
}

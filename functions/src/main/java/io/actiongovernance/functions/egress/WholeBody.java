package io.actiongovernance.functions.egress;

/** The bytes of a response, as received. Immutable as long as no caller changes the array. */
public final class WholeBody {
  private final byte[] bytes;
  private final boolean cut;

  WholeBody(byte[] bytes, boolean cut) {
    this.bytes = bytes;
    this.cut = cut;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** Returns whether the response had more bytes than were read. */
  public boolean cut() {
    return cut;
  }
}

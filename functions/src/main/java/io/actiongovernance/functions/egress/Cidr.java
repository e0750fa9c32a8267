package io.actiongovernance.functions.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * A block of addresses, such as {@code 10.0.0.0/8} or {@code fc00::/7}; without a slash, one
 * address. Immutable.
 *
 * @param bits number of leading bits that its addresses share
 */
record Cidr(InetAddress network, int bits) {
  Cidr {
    if (bits < 0 || bits > network.getAddress().length * 8) {
      throw new IllegalArgumentException("Not a block of addresses: " + network + "/" + bits);
    }
  }

  /** Parses a block. Host names are refused, so that no name is looked up. */
  static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    if (!address.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")
        && !address.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
      throw new IllegalArgumentException("Not a block of addresses: " + text);
    }
    try {
      InetAddress network = InetAddress.getByName(address);
      int whole = network.getAddress().length * 8;
      return new Cidr(network, slash < 0 ? whole : Integer.parseInt(text.substring(slash + 1)));
    } catch (UnknownHostException | NumberFormatException e) {
      throw new IllegalArgumentException("Not a block of addresses: " + text, e);
    }
  }

  /**
   * Returns whether the block contains the address. An address of another family is never in the
   * block.
   */
  boolean contains(InetAddress address) {
    byte[] ours = network.getAddress();
    byte[] theirs = address.getAddress();
    if (ours.length != theirs.length) {
      return false;
    }
    int whole = bits / 8;
    if (!Arrays.equals(ours, 0, whole, theirs, 0, whole)) {
      return false;
    }
    int rest = bits % 8;
    return rest == 0 || ((ours[whole] ^ theirs[whole]) & (0xFF << (8 - rest)) & 0xFF) == 0;
  }
}

package io.actiongovernance.functions.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A block begins and ends where its bits say: judged against plain arithmetic. */
class CidrProperties {
  @Property
  void aBlockHoldsItsFirstAndLastAddressAndNotTheirNeighbours(
      @ForAll int address, @ForAll @IntRange(max = 32) int bits) throws UnknownHostException {
    check(BigInteger.valueOf(address & 0xFFFF_FFFFL), bits, 32);
  }

  @Property
  void anIpv6BlockHoldsItsEndsAndNotTheirNeighbours(
      @ForAll long high, @ForAll long low, @ForAll @IntRange(max = 128) int bits)
      throws UnknownHostException {
    // The first bit is set, so that no address is an IPv4 one in disguise.
    BigInteger address =
        new BigInteger(Long.toUnsignedString(high | Long.MIN_VALUE))
            .shiftLeft(64)
            .add(new BigInteger(Long.toUnsignedString(low)));
    check(address, Math.max(1, bits), 128);
  }

  private static void check(BigInteger address, int bits, int whole) throws UnknownHostException {
    BigInteger size = BigInteger.ONE.shiftLeft(whole - bits);
    BigInteger first = address.divide(size).multiply(size);
    BigInteger last = first.add(size).subtract(BigInteger.ONE);
    Cidr block = new Cidr(inet(address, whole), bits);
    assertThat(block.contains(inet(first, whole))).isTrue();
    assertThat(block.contains(inet(last, whole))).isTrue();
    if (first.signum() > 0) {
      assertThat(block.contains(inet(first.subtract(BigInteger.ONE), whole))).isFalse();
    }
    if (last.bitLength() <= whole
        && !last.equals(BigInteger.ONE.shiftLeft(whole).subtract(BigInteger.ONE))) {
      assertThat(block.contains(inet(last.add(BigInteger.ONE), whole))).isFalse();
    }
  }

  private static InetAddress inet(BigInteger value, int whole) throws UnknownHostException {
    byte[] bytes = new byte[whole / 8];
    byte[] digits = value.toByteArray();
    for (int at = 0; at < Math.min(bytes.length, digits.length); at++) {
      bytes[bytes.length - 1 - at] = digits[digits.length - 1 - at];
    }
    return InetAddress.getByAddress(bytes);
  }
}

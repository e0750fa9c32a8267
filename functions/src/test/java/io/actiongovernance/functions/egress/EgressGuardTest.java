package io.actiongovernance.functions.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be connected to: contract, section 8. */
class EgressGuardTest {
  private final EgressGuard guard = new EgressGuard(List.of());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a00:1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:a00:1::",
        "2002:7f00:1::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1"
      })
  void innerAddressesAreRefused(String address) throws UnknownHostException {
    assertThat(guard.permits(InetAddress.getByName(address), "https")).isFalse();
    assertThat(guard.permits(InetAddress.getByName(address), "http")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.1",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00::1",
        "64:ff9b::101:101",
        "2002:101:101::1",
        "::ffff:1.1.1.1"
      })
  void outerAddressesAreReachedOverHttpsOnly(String address) throws UnknownHostException {
    assertThat(guard.permits(InetAddress.getByName(address), "https")).isTrue();
    assertThat(guard.permits(InetAddress.getByName(address), "http")).isFalse();
  }

  @Test
  void onlyAllowedBlocksAreReachedOverHttpAndHttps() throws UnknownHostException {
    EgressGuard some = new EgressGuard(List.of("127.0.0.1/32", "fd00::/8"));
    assertThat(some.permits(InetAddress.getByName("127.0.0.1"), "http")).isTrue();
    assertThat(some.permits(InetAddress.getByName("fd12::1"), "https")).isTrue();
    assertThat(some.permits(InetAddress.getByName("127.0.0.2"), "http")).isFalse();
    assertThat(some.permits(InetAddress.getByName("1.1.1.1"), "http")).isFalse();
  }

  @Test
  void oneInnerAddressRefusesTheWholeHost() throws UnknownHostException {
    InetAddress[] mixed = {InetAddress.getByName("1.1.1.1"), InetAddress.getByName("10.0.0.1")};
    assertThatThrownBy(() -> guard.admit(mixed, "mixed.example", "https"))
        .isInstanceOf(EgressGuard.Refused.class);
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.example, true",
    "http://api.example, false",
    "ftp://api.example, false",
    "https://10.0.0.1, false",
    "https://[::1], false",
    "https://[fe80::1%25eth0], false",
    "https://[2606:4700::1111%25eth0], false",
    "https://[::ffff:127.0.0.1]:8443, false",
    "https://2130706433, false",
    "https://localhost, false",
    "https://a.localhost, false",
    "https://1.1.1.1, true",
  })
  void aUrlIsJudgedBeforeItsNameIsLookedUp(String url, boolean fine) {
    assertThat(guard.problem(URI.create(url)).isEmpty()).isEqualTo(fine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "example.com/8",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0/8",
        "::/129",
        "10.0.0.0/x"
      })
  void anInvalidBlockIsRefused(String text) {
    assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}

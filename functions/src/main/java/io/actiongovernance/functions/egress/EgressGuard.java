package io.actiongovernance.functions.egress;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which addresses the service may connect to on a tenant's behalf. Internal addresses are
 * refused unless the setting {@code GOVERNANCE_EGRESS_ALLOW} names them; only these may be reached
 * over plain HTTP (contract, section 8). Immutable; thread-safe.
 */
public final class EgressGuard {
  private static final List<Cidr> FORBIDDEN =
      Stream.of(
              "0.0.0.0/8", // this network
              "10.0.0.0/8", // private
              "100.64.0.0/10", // carrier-grade NAT
              "127.0.0.0/8", // loopback
              "169.254.0.0/16", // link-local, cloud metadata
              "172.16.0.0/12", // private
              "192.0.0.0/24", // protocol assignments
              "192.0.2.0/24", // documentation
              "192.88.99.0/24", // 6to4 relays
              "192.168.0.0/16", // private
              "198.18.0.0/15", // benchmarks
              "198.51.100.0/24", // documentation
              "203.0.113.0/24", // documentation
              "224.0.0.0/4", // multicast
              "240.0.0.0/4", // reserved, broadcast
              "::/8", // unspecified, loopback, IPv4-compatible; mapped and 64:ff9b::/96 are judged
              // by what they carry
              "64:ff9b:1::/48", // local NAT64
              "100::/64", // discard
              "2001::/23", // protocol assignments, Teredo
              "2001:db8::/32", // documentation
              "3fff::/20", // documentation
              "5f00::/16", // segment routing
              "fc00::/7", // unique-local
              "fe80::/10", // link-local
              "fec0::/10", // site-local
              "ff00::/8") // multicast
          .map(Cidr::parse)
          .toList();

  private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");
  private static final Cidr SIX_TO_FOUR = Cidr.parse("2002::/16");

  private final List<Cidr> allowed;

  /**
   * @param allowed internal blocks of addresses that may nevertheless be reached, as CIDRs
   */
  public EgressGuard(List<String> allowed) {
    this.allowed = allowed.stream().map(Cidr::parse).toList();
  }

  static final class Refused extends UnknownHostException {
    private static final long serialVersionUID = 1L;

    private final String why;

    Refused(String why) {
      super(why);
      this.why = why;
    }

    String why() {
      return why;
    }
  }

  /**
   * Returns whether the service may connect to the address over this scheme.
   *
   * @param scheme in lower case
   */
  public boolean permits(InetAddress address, String scheme) {
    if (allowed.stream().anyMatch(block -> block.contains(address))) {
      return true;
    }
    return scheme.equals("https") && !isInner(address);
  }

  /**
   * The reason why a URL is refused before its name is looked up, as {@code must be …}; empty if it
   * is not refused.
   */
  public Optional<String> problem(URI url) {
    String scheme = scheme(url);
    if (!scheme.equals("https") && !(scheme.equals("http") && !allowed.isEmpty())) {
      return Optional.of("must be an https URL");
    }
    InetAddress literal = literal(url.getHost());
    // An address with a zone belongs to a link of this machine, even if the machine lacks that
    // link.
    boolean zoned = url.getHost() != null && url.getHost().contains("%");
    return zoned || (literal != null && !permits(literal, scheme))
        ? Optional.of("must not name an address inside the network")
        : Optional.empty();
  }

  /** Returns whether a host is an address, not a name, and the setting permits it. */
  public boolean names(String host) {
    InetAddress literal = literal(host);
    return literal != null && allowed.stream().anyMatch(block -> block.contains(literal));
  }

  /**
   * Returns the addresses of a host if connections to all of them are permitted. One forbidden
   * address is enough to refuse the host.
   *
   * @throws UnknownHostException if there are no addresses, or one is refused
   */
  InetAddress[] admit(InetAddress[] addresses, String host, String scheme)
      throws UnknownHostException {
    for (InetAddress address : addresses) {
      if (!permits(address, scheme)) {
        throw new Refused("The address of " + host + " may not be reached" + over(scheme) + ".");
      }
    }
    return addresses;
  }

  private static String over(String scheme) {
    return scheme.equals("http") ? " over plain HTTP" : "";
  }

  private static String scheme(URI url) {
    return url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
  }

  private static boolean isInner(InetAddress address) {
    InetAddress carried = carried(address);
    return carried != null
        ? isInner(carried)
        : FORBIDDEN.stream().anyMatch(block -> block.contains(address));
  }

  /**
   * The IPv4 address within an IPv6 one (NAT64, 6to4). The JDK already treats mapped addresses as
   * IPv4.
   */
  private static @Nullable InetAddress carried(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (address instanceof Inet4Address) {
      return null;
    }
    if (NAT64.contains(address) || isMapped(bytes)) {
      return v4(bytes, 12);
    }
    return SIX_TO_FOUR.contains(address) ? v4(bytes, 2) : null;
  }

  private static boolean isMapped(byte[] bytes) {
    return Arrays.equals(bytes, 0, 10, new byte[10], 0, 10) && bytes[10] == -1 && bytes[11] == -1;
  }

  private static InetAddress v4(byte[] bytes, int from) {
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The address that a host spells in any form that resolvers accept, such as {@code 127.1} or
   * {@code 2130706433}; null for a name.
   */
  private static @Nullable InetAddress literal(@Nullable String host) {
    if (host == null) {
      return null;
    }
    boolean spelled =
        host.startsWith("[")
            || host.matches("(0[xX][0-9a-fA-F]+|[0-9]+)(\\.(0[xX][0-9a-fA-F]+|[0-9]+)){0,3}\\.?");
    if (!spelled) {
      return host.equalsIgnoreCase("localhost")
              || host.toLowerCase(Locale.ROOT).endsWith(".localhost")
          ? InetAddress.getLoopbackAddress()
          : null;
    }
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      return null;
    }
  }
}

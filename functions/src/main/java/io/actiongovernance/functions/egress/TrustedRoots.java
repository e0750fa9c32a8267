package io.actiongovernance.functions.egress;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate authorities that outbound calls trust: those of the platform, and those in the
 * file that {@code GOVERNANCE_EGRESS_CA} names.
 */
public final class TrustedRoots {
  private TrustedRoots() {}

  /**
   * A TLS context that trusts these authorities.
   *
   * @param pem path of a file with further roots; null if none
   */
  public static SSLContext tls(@Nullable String pem) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManagerFactory trust = factory(pem == null ? null : withPlatform(Path.of(pem)));
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The trusted roots cannot be read", e);
    } catch (IOException e) {
      throw new UncheckedIOException("The trusted roots cannot be read", e);
    }
  }

  private static KeyStore withPlatform(Path pem) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    int count = 0;
    for (var manager : factory(null).getTrustManagers()) {
      if (manager instanceof X509TrustManager platform) {
        for (X509Certificate root : platform.getAcceptedIssuers()) {
          store.setCertificateEntry("root-" + count++, root);
        }
      }
    }
    try (InputStream in = Files.newInputStream(pem)) {
      for (Certificate root : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("root-" + count++, root);
      }
    }
    return store;
  }

  private static TrustManagerFactory factory(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }
}

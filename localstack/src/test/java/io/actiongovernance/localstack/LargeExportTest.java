package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.tenant.NewTenant;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An export of many receipts is right in count, size and hash, and holds each receipt once, newest
 * first: 2,000, or as many as {@code -Dgovernance.test.receipts} says. With 9,000 or more its file
 * goes up in several parts.
 */
final class LargeExportTest {
  private static final int RECEIPTS = Integer.getInteger("governance.test.receipts", 2_000);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void aLargeExportIsRightToTheLastRow() throws Exception {
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(
                folder,
                0,
                Map.of(),
                Service.governance().withoutRelayOf(Table.RECEIPTS),
                line -> {}))) {
      NewTenant.Created tenant = stack.newTenant(NewTenant.named("large"));
      Partition partition = new Partition(new TenantId(tenant.tenantId()), Mode.LIVE);
      // Making the tenant has left two, of its limits and of its ticket.
      URI receipts = stack.baseUrl().resolve("/v1/receipts");
      JsonNode before = call(tenant, "GET", receipts).path("data");
      assertThat(before.findValuesAsText("kind")).containsExactly("config", "config");
      List<String> newestFirst = new ArrayList<>(append(stack, partition));
      newestFirst.addAll(
          before.findValuesAsText("id").stream().filter(id -> id.startsWith("rc_")).toList());
      URI exports = URI.create(receipts + "/exports");
      System.gc();
      pools().forEach(MemoryPoolMXBean::resetPeakUsage);
      long began = System.nanoTime();
      JsonNode made = call(tenant, "POST", exports);
      URI job = URI.create(exports + "/" + made.path("id").asText());
      JsonNode done = completed(tenant, job);
      tell(done, Duration.ofNanos(System.nanoTime() - began));
      assertThat(done.path("row_count").asInt()).isEqualTo(RECEIPTS + before.size());
      check(done, newestFirst.iterator());
    }
  }

  /** Appends the receipts and answers with their ids. */
  private static List<String> append(EmbeddedStack stack, Partition partition) {
    Store store = stack.wiring().store();
    Ids ids = stack.wiring().ids();
    List<String> oldestFirst = new ArrayList<>();
    List<Write> writes = new ArrayList<>();
    for (int left = RECEIPTS; left > 0; left--) {
      Receipt receipt = receipt(partition, ReceiptId.next(ids));
      oldestFirst.add(receipt.id().value());
      writes.add(ReceiptLedger.append(receipt));
      if (writes.size() == Store.MAX_TRANSACTION || left == 1) {
        assertThat(store.transact(writes).done()).isTrue();
        writes.clear();
      }
    }
    return oldestFirst.reversed();
  }

  private static Receipt receipt(Partition partition, ReceiptId id) {
    return new ReceiptDraft(partition, Receipt.Kind.ACTION, ReceiptOutcome.APPLIED)
        .with("entity_key", "order:" + id)
        .with("note", "n".repeat(200))
        .ok(true)
        .seal(id);
  }

  /** The job once it has ended; asked for as often as the rate limit of reads lets one ask. */
  private JsonNode completed(NewTenant.Created tenant, URI job) throws Exception {
    JsonNode seen = call(tenant, "GET", job);
    while (running(seen)) {
      TimeUnit.MILLISECONDS.sleep(100);
      seen = call(tenant, "GET", job);
    }
    assertThat(seen.path("status").asText()).as("%s", seen).isEqualTo("complete");
    return seen;
  }

  private static boolean running(JsonNode job) {
    return job.path("status").asText().equals("running");
  }

  /** Downloads the file as it is read, hashing it and looking at each row. */
  private void check(JsonNode job, Iterator<String> newestFirst) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    URI url = URI.create(job.path("download_url").asText());
    long bytes = 0;
    try (InputStream body =
            client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofInputStream()).body();
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    new DigestInputStream(body, digest), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        assertThat(Json.read(line).path("id").asText()).isEqualTo(newestFirst.next());
        bytes += line.getBytes(StandardCharsets.UTF_8).length + 1;
      }
    }
    assertThat(newestFirst.hasNext()).isFalse();
    assertThat(bytes).isEqualTo(job.path("size_bytes").asLong());
    assertThat(HexFormat.of().formatHex(digest.digest())).isEqualTo(job.path("sha256").asText());
  }

  private JsonNode call(NewTenant.Created tenant, String method, URI target) {
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .header("Authorization", "Bearer " + tenant.keys().live())
            .method(method, BodyPublishers.noBody())
            .build();
    try {
      return Json.read(client.send(request, BodyHandlers.ofString()).body());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static List<MemoryPoolMXBean> pools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  /**
   * Says, for a large one, how long it took and how much of the heap was left after collections.
   */
  private static void tell(JsonNode done, Duration time) {
    if (RECEIPTS > 2_000) {
      long peak = pools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
      System.out.printf(
          "%,d receipts, %,d bytes, %,d ms, peak of heap pools %,d bytes%n",
          RECEIPTS, done.path("size_bytes").asLong(), time.toMillis(), peak);
    }
  }
}

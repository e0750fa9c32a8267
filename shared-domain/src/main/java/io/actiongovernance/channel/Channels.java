package io.actiongovernance.channel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Store;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds and lists channels. Thread-safe. */
public final class Channels {
  /** The part of a partition that holds its channels. */
  public static final String PART = "channel";

  private final Store store;

  public Channels(Store store) {
    this.store = store;
  }

  public Optional<Channel> find(Partition partition, ChannelId id) {
    return store.get(ChannelItems.key(partition, id)).map(ChannelItems::channel);
  }

  public Outcome<Channel> find(Caller caller, ChannelId id) {
    return find(caller.partition(), id)
        .filter(channel -> caller.sees(channel.workspaceId()))
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("channel")));
  }

  /** Returns one page of the channels that the caller may see, newest first. */
  public Page<Channel> list(Caller caller, PageRequest page) {
    return Page.of(
        all(caller.partition()).stream()
            .filter(channel -> caller.sees(channel.workspaceId()))
            .toList(),
        channel -> channel.id().value(),
        page);
  }

  /** Returns the names of the facts that at least one channel of a partition reports. */
  public Set<String> heard(Partition partition) {
    return all(partition).stream()
        .flatMap(channel -> channel.heard().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns all channels of a partition, newest first. The quota bounds their number, so they are
   * read at once.
   */
  List<Channel> all(Partition partition) {
    return store.query(ChannelItems.all(partition)).items().stream()
        .map(ChannelItems::channel)
        .toList();
  }
}

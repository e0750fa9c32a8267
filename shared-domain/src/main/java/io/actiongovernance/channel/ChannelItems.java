package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;

final class ChannelItems {
  static final String VERSION = "version";
  static final String COUNT = "held";

  private ChannelItems() {}

  static Query all(Partition partition) {
    return Query.of(Table.STATE, partition.key(Channels.PART)).newestFirst();
  }

  static Key key(Partition partition, ChannelId id) {
    return new Key(Table.STATE, partition.key(Channels.PART), id.value());
  }

  /** Key of the count of a tenant's channels, both modes together. */
  static Key countKey(TenantId tenant) {
    return new Key(Table.STATE, tenant.value() + "#quota", "channels");
  }

  static Item item(Channel channel) {
    return Item.at(key(channel.partition(), channel.id()))
        .with("kind", "channel")
        .with("id", channel.id().value())
        .with("partition", channel.partition().key())
        .with(VERSION, channel.version())
        .with("doc", Json.write(channel))
        .build();
  }

  static Channel channel(Item item) {
    return Json.read(item.text("doc"), Channel.class);
  }
}

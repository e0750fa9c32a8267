package io.actiongovernance.infra;

import io.actiongovernance.access.Partition;
import io.actiongovernance.archive.ArchiveObjects;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.aws.S3ArchiveObjects;
import io.actiongovernance.id.Ids;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The archive of a deployment, for who looks at it from outside.
 *
 * @param partitions the tenants and modes that are archived
 */
record DeployedArchive(
    Supplier<Stream<Partition>> partitions, ArchiveObjects objects, InstantSource clock) {
  /** That of an environment, by whosever credentials are around. */
  static DeployedArchive of(DeployedEnvironment deployed) {
    Region region = Region.of(deployed.place().region());
    Environment environment = deployed.environment();
    Store store =
        new DynamoStore(
            DynamoDbClient.builder()
                .region(region)
                .httpClient(UrlConnectionHttpClient.create())
                .build(),
            environment.tables());
    InstantSource clock = InstantSource.system();
    SecureRandom random = new SecureRandom();
    Tenants tenants =
        new Tenants(
            store, new Transactions(store, Sleeper.real(), random), new Ids(clock, random), clock);
    S3Client s3 =
        S3Client.builder().region(region).httpClient(UrlConnectionHttpClient.create()).build();
    return new DeployedArchive(
        tenants::partitions,
        new S3ArchiveObjects(() -> s3, Names.archiveBucket(environment.prefix(), deployed.place())),
        clock);
  }
}

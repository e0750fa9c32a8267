package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a local stack, as {@code src/main/resources/logback.xml} has it. */
final class StackLogTest {
  @Test
  void aRequestIsALineInTheDataFolderWithItsIdentifiers(@TempDir Path folder) throws Exception {
    LoggerContext context = new LoggerContext();
    LogbackMDCAdapter mdc = new LogbackMDCAdapter();
    context.setMDCAdapter(mdc);
    context.putProperty("governance.log", folder.resolve("log").toString());
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    mdc.put("request_id", "req_1");
    mdc.put("key_id", "key_1");
    context.getLogger("requests").atInfo().addKeyValue("status", 200).log("Answered");
    mdc.clear();
    context.getLogger("io.actiongovernance.Other").info("Something");
    context.stop();
    assertThat(Files.readAllLines(folder.resolve("log").resolve("service.log")))
        .satisfiesExactly(
            request ->
                assertThat(request)
                    .contains("requests Answered status=200", "request_id=req_1", "key_id=key_1"),
            other -> assertThat(other).endsWith(" Something"));
  }
}

package io.actiongovernance.functions;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import javax.crypto.Cipher;

/** Dependencies point one way, and the rules know neither AWS nor HTTP. */
@AnalyzeClasses(
    packages = "io.actiongovernance",
    importOptions = {ImportOption.DoNotIncludeTests.class, ModuleRulesTest.NoJarOfTests.class})
final class ModuleRulesTest {
  /** Leaves out the fixtures that the domain's tests share. */
  static final class NoJarOfTests implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  private static final String FUNCTIONS = "io.actiongovernance.functions..";
  private static final String PROPOSER = "io.actiongovernance.proposer..";

  /** Calls of agents, which propose. */
  private static final String GATEWAY = "io.actiongovernance.gateway..";

  @ArchTest
  static final ArchRule THE_DOMAIN_KNOWS_NO_FUNCTION =
      noClasses()
          .that()
          .resideOutsideOfPackage(FUNCTIONS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(FUNCTIONS);

  @ArchTest
  static final ArchRule THE_DOMAIN_KNOWS_NEITHER_AWS_NOR_HTTP =
      noClasses()
          .that()
          .resideOutsideOfPackage(FUNCTIONS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "software.amazon..",
              "com.amazonaws..",
              "org.apache.hc..",
              "java.net.http..",
              "org.eclipse.jetty..");

  /** So that no function loads it that sends no mail. */
  @ArchTest
  static final ArchRule ONE_CLASS_KNOWS_THE_LIBRARY_OF_MAILS =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.actiongovernance\\.functions\\.channel\\.SmtpExchange(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("jakarta.mail..", "org.eclipse.angus..");

  /** So that all that is sealed says for what and under which key. */
  @ArchTest
  static final ArchRule ONLY_SEALING_KEYS_ENCRYPT =
      noClasses()
          .that()
          .haveNameNotMatching("io\\.actiongovernance\\.access\\.SealingKey")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(Cipher.class);

  @ArchTest
  static final ArchRule THE_DOMAIN_ASKS_NO_CLOCK_BUT_AN_INJECTED_ONE =
      noClasses()
          .that()
          .resideOutsideOfPackage(FUNCTIONS)
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(java.time.InstantSource.class, "system");

  /** Only the functions and the assembly of the loop know both sides. */
  @ArchTest
  static final ArchRule NOTHING_THE_KERNEL_REACHES_KNOWS_THE_PROPOSER =
      noClasses()
          .that()
          .resideOutsideOfPackages(FUNCTIONS, PROPOSER, GATEWAY)
          .and()
          .doNotHaveSimpleName("Proposing")
          .and()
          .doNotHaveSimpleName("Ports")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(PROPOSER, GATEWAY);

  @ArchTest
  static final ArchRule HANDLERS_REACH_THE_STORE_ONLY_THROUGH_THE_DOMAIN =
      noClasses()
          .that()
          .haveSimpleNameEndingWith("Handler")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.actiongovernance.store..", "software.amazon.awssdk..");

  /**
   * A handler is given its use case; the table of its route, or of triggers, puts both together.
   */
  @ArchTest
  static final ArchRule HANDLERS_KNOW_NO_COMPOSITION =
      noClasses()
          .that()
          .haveSimpleNameEndingWith("Handler")
          .should()
          .dependOnClassesThat()
          .haveSimpleNameEndingWith("Wiring");
}

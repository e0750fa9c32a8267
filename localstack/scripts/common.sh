# What localstack/up, localstack/gov and localstack/bench share, and the commands of infra-cdk. Sourced, not run; POSIX sh.
# SCRIPT is the script that sources it, where $0 is a link to that.

NEEDED_JDK=25
ROOT=$(cd "$(dirname "${SCRIPT:-$0}")/.." && pwd)
CLASSPATH_FILE=$ROOT/localstack/target/stack.classpath
GOV_CLASSPATH=$ROOT/localstack/target/gov.classpath
GOV_CLASSES=$ROOT/localstack/target/gov.jsa
GOV_JDK=$ROOT/localstack/target/gov.jdk
BUILD_LOG=$ROOT/localstack/target/up-build.log

fail() {
  echo "error: $*" >&2
  exit 1
}

say() {
  echo "$*" >&2
}

# Answers -h and --help out of a file, and ends; so that it takes no build. help_of NAME ARGUMENTS.
help_of() {
  help=$ROOT/localstack/scripts/help/$1.txt
  shift
  for argument in "$@"; do
    case $argument in
      -h | --help)
        cat "$help"
        exit 0
        ;;
    esac
  done
}

# The feature version of the JDK in a folder, from its release file; nothing if it is none.
jdk_version() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] && [ -f "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

is_jdk() {
  version=$(jdk_version "$1")
  [ -n "$version" ] && [ "$version" -ge "$NEEDED_JDK" ]
}

# Where JDKs are usually installed. GOVERNANCE_JDK_FOLDERS, folders separated by colons, takes their place.
jdk_folders() {
  if [ -n "${GOVERNANCE_JDK_FOLDERS+set}" ]; then
    echo "$GOVERNANCE_JDK_FOLDERS" | tr ':' '\n'
    return
  fi
  for folder in \
    /usr/lib/jvm /usr/lib64/jvm /usr/java /opt /opt/java /opt/jdk \
    "$HOME/.sdkman/candidates/java" "$HOME/.jdks" "$HOME/.jenv/versions" \
    "$HOME/.asdf/installs/java" "$HOME/.local/share/mise/installs/java" \
    /Library/Java/JavaVirtualMachines "$HOME/Library/Java/JavaVirtualMachines" \
    /opt/homebrew/opt /usr/local/opt /home/linuxbrew/.linuxbrew/opt; do
    echo "$folder"
  done
}

# Runs a class of the CDK app, with what its build left: run_infra CLASS ARGUMENTS.
run_infra() {
  find_jdk
  cd "$ROOT/infra-cdk"
  [ -f target/app.classpath ] || fail "Nothing is built yet. First run mvn package -DskipTests in the project's folder."
  class=$1
  shift
  exec "$JAVA_HOME/bin/java" -cp "target/classes:$(cat target/app.classpath)" "io.actiongovernance.infra.$class" "$@"
}

# Sets JAVA_HOME to a JDK that is new enough: the one it names, the one on the path, or an installed one.
find_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && is_jdk "$JAVA_HOME"; then
    return
  fi
  if [ -z "${GOVERNANCE_JDK_FOLDERS+set}" ] && command -v javac > /dev/null 2>&1; then
    home=$(javac -J-XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
    if [ -n "$home" ] && is_jdk "$home"; then
      JAVA_HOME=$home
      export JAVA_HOME
      return
    fi
  fi
  best=
  best_version=
  jdks=$(jdk_folders | while IFS= read -r folder; do
    for home in "$folder"/* "$folder"/*/Contents/Home "$folder"/*/libexec/openjdk.jdk/Contents/Home "$folder"/*/libexec; do
      [ -d "$home" ] && echo "$home"
    done
    true
  done)
  old_ifs=$IFS
  IFS='
'
  for home in $jdks; do
    # The oldest that will do: the one this was built and tested with, where it is there.
    if is_jdk "$home" && { [ -z "$best" ] || [ "$version" -lt "$best_version" ]; }; then
      best=$home
      best_version=$version
    fi
  done
  IFS=$old_ifs
  [ -n "$best" ] || fail "No JDK $NEEDED_JDK or newer found${JAVA_HOME:+ (JAVA_HOME is $JAVA_HOME)}. Install one, such as Temurin $NEEDED_JDK, or set JAVA_HOME to it."
  JAVA_HOME=$best
  export JAVA_HOME
}

# Whether the jars are there and no source is newer than they are.
is_stale() {
  [ -f "$CLASSPATH_FILE" ] || return 0
  tr ':' '\n' < "$CLASSPATH_FILE" | while IFS= read -r jar; do
    [ -f "$jar" ] || echo "$jar"
  done | grep -q . && return 0
  newer=$(cd "$ROOT" && find pom.xml shared-domain/pom.xml functions/pom.xml localstack/pom.xml \
    shared-domain/src/main functions/src/main functions/src/test/java/io/actiongovernance/functions/samples localstack/src/main \
    -newer "$CLASSPATH_FILE" -print 2> /dev/null | head -n 1)
  [ -n "$newer" ]
}

# Shows how far Maven is: a line for each module, and now and then how many files it has downloaded.
show_progress() {
  awk '
    /\[INFO\] Building .*\[[0-9]+\/[0-9]+\]$/ { print "  " $3 " " $NF; fflush() }
    /Downloaded from/ { if (++files % 100 == 0) { print "  " files " files downloaded"; fflush() } }
  ' >&2
}

# Packages the modules, with further arguments of Maven's.
build() {
  command -v mvn > /dev/null 2>&1 || fail "Maven (mvn) is not on the path. Install Maven 3.9 or newer."
  say "Building (the first time takes a few minutes, most of it downloads) …"
  mkdir -p "$(dirname "$BUILD_LOG")"
  modules=$1
  shift
  if ! (
    cd "$ROOT"
    status=$BUILD_LOG.status
    rm -f "$status"
    # The formatter and the static checks have passed before a commit; here they would only take time.
    { mvn -B -Dfast -Dmaven.test.skip=true -P '!format' -pl "$modules" package "$@" 2>&1 \
        && echo done > "$status"; } | tee "$BUILD_LOG" | show_progress
    [ -f "$status" ]
  ); then
    grep -E '^\[ERROR\]' "$BUILD_LOG" | head -n 20 >&2 || true
    fail "The build failed. Its log is in $BUILD_LOG"
  fi
}

build_if_stale() {
  is_stale || return 0
  rm -f "$CLASSPATH_FILE"
  build shared-domain,functions,localstack \
    org.apache.maven.plugins:maven-dependency-plugin:build-classpath \
    -DincludeScope=runtime -Dmdep.outputFile="$CLASSPATH_FILE.dependencies"
  jar=$(ls "$ROOT"/localstack/target/localstack-*.jar | grep -v -e -tests -e -sources | head -n 1)
  # Ours first, so that its logging configuration is the one that counts.
  printf '%s:%s' "$jar" "$(cat "$CLASSPATH_FILE.dependencies")" > "$CLASSPATH_FILE"
}

# What is deployed and what describes it: the functions' zip and the CDK app.
build_deployment_if_stale() {
  zip=$ROOT/functions/target/functions-lambda.zip
  app=$ROOT/infra-cdk/target/app.classpath
  if [ -f "$zip" ] && [ -f "$app" ] && [ -z "$(cd "$ROOT" && find pom.xml shared-domain/pom.xml functions/pom.xml \
    infra-cdk/pom.xml shared-domain/src/main functions/src/main infra-cdk/src/main \
    \( -newer "$zip" -o -newer "$app" \) -print 2> /dev/null | head -n 1)" ]; then
    return
  fi
  BUILD_LOG=$ROOT/localstack/target/up-deployment-build.log
  build shared-domain,functions,infra-cdk -P 'zip,!format'
}

# Runs a command of the stack in the place of this shell, so that Ctrl-C and signals reach it. More carriers than
# processors: a virtual thread may be pinned while a class initialises itself.
run_java() {
  DDB_LOCAL_TELEMETRY=0
  export DDB_LOCAL_TELEMETRY
  exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -Xmx512m -Xss512k \
    -Dgovernance.root="$ROOT" -Xshare:auto -Djdk.virtualThreadScheduler.parallelism=16 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -cp "$(cat "$CLASSPATH_FILE")" io.actiongovernance.localstack.Main "$@"
}

# Runs localstack/gov in the place of this shell. It begins in a moment: with the JDK that was found the last time, the
# few jars that most commands need in front, and their classes as they were laid out once (class-data sharing).
run_gov() {
  if [ ! -f "$CLASSPATH_FILE" ]; then
    case ${1:-} in
      tenant | watch) help_of "$@" ;;
      *) help_of gov "${1:-}" ;;
    esac
    find_jdk
    build_if_stale
  fi
  if [ ! -f "$GOV_CLASSES" ] || [ "$CLASSPATH_FILE" -nt "$GOV_CLASSES" ]; then
    find_jdk
    lay_out_gov
  elif [ -z "${JAVA_HOME:-}" ] || ! is_jdk "$JAVA_HOME"; then
    IFS= read -r JAVA_HOME < "$GOV_JDK" || JAVA_HOME=
    if ! is_jdk "$JAVA_HOME"; then
      unset JAVA_HOME
      find_jdk
    fi
  fi
  terminal=false
  if [ -t 1 ]; then
    terminal=true
  fi
  IFS= read -r classpath < "$GOV_CLASSPATH"
  # Without the classes laid out, or with another JDK than theirs, it is slower and does the same.
  exec "$JAVA_HOME/bin/java" -XX:SharedArchiveFile="$GOV_CLASSES" -Xshare:auto -Xlog:disable -Xlog:all=error:stderr \
    -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m --sun-misc-unsafe-memory-access=allow \
    -Dgovernance.terminal=$terminal -cp "$classpath" io.actiongovernance.localstack.gov.Gov "$@"
}

# Writes gov's class path, what most commands need first, and the classes that they use, each in one rename: of two who do
# it at once, one wins.
lay_out_gov() {
  first=
  rest=
  old_ifs=$IFS
  IFS=:
  for jar in $(cat "$CLASSPATH_FILE"); do
    case ${jar##*/} in
      localstack-[0-9]* | shared-domain-[0-9]* | picocli-* | jackson-core-2* | jackson-databind-2* | jackson-annotations-*)
        first=$first${first:+:}$jar
        ;;
      *) rest=$rest${rest:+:}$jar ;;
    esac
  done
  IFS=$old_ifs
  echo "$first${first:+${rest:+:}}$rest" > "$GOV_CLASSPATH.$$" && mv "$GOV_CLASSPATH.$$" "$GOV_CLASSPATH"
  echo "$JAVA_HOME" > "$GOV_JDK.$$" && mv "$GOV_JDK.$$" "$GOV_JDK"
  # The request goes nowhere: it is made for the classes that it takes.
  "$JAVA_HOME/bin/java" -XX:ArchiveClassesAtExit="$GOV_CLASSES.$$" -Xlog:disable -XX:+UseSerialGC -cp "$first" \
    io.actiongovernance.localstack.gov.Gov plans --url http://127.0.0.1:1 --key none > /dev/null 2>&1 || true
  if [ -f "$GOV_CLASSES.$$" ]; then
    mv "$GOV_CLASSES.$$" "$GOV_CLASSES"
  fi
}

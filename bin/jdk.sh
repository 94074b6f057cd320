# Finds a JDK 25 or newer and sets MILLRACE_JAVA to its java command.
#
# For launchers, in any POSIX shell:  . "$home/bin/jdk.sh"
#
# The first that fits, of: MILLRACE_JAVA_HOME (nothing else is looked at if it is set), JAVA_HOME, the
# java on the PATH, and the places where JDKs are usually installed. A JDK's version is read from its
# `release` file; only a JDK without one is started to ask it. If none fits, this says what to install
# and exits with status 1. MILLRACE_JDK_ROOT, for tests, goes before the places that are searched.

millrace_jdk_found=

# Sets millrace_jdk_version to the version of the JDK in directory $1, or to nothing.
millrace_jdk_read() {
  millrace_jdk_version=
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    while IFS= read -r millrace_jdk_line || [ -n "$millrace_jdk_line" ]; do
      case $millrace_jdk_line in
        JAVA_VERSION=*) millrace_jdk_version=${millrace_jdk_line#JAVA_VERSION=} ;;
      esac
    done < "$1/release"
  else
    millrace_jdk_line=$("$1/bin/java" -version 2>&1) || return 0
    case $millrace_jdk_line in
      *version\ \"*) millrace_jdk_version=${millrace_jdk_line#*version } ;;
    esac
  fi
  millrace_jdk_version=${millrace_jdk_version#\"}
  millrace_jdk_version=${millrace_jdk_version%%\"*}
}

# Whether the JDK in directory $1 fits; if so sets MILLRACE_JAVA.
millrace_jdk_fits() {
  millrace_jdk_read "$1"
  [ -n "$millrace_jdk_version" ] || return 1
  case ${millrace_jdk_version%%[!0-9]*} in
    2[5-9] | [3-9][0-9] | [1-9][0-9][0-9])
      MILLRACE_JAVA=$1/bin/java
      return 0
      ;;
  esac
  millrace_jdk_found="$millrace_jdk_found
  $1 (version $millrace_jdk_version)"
  return 1
}

# Directory of the JDK that the java on the PATH belongs to.
millrace_jdk_on_path() {
  millrace_jdk_line=$(command -v java) || return 0
  millrace_jdk_line=$(readlink -f "$millrace_jdk_line") || return 0
  millrace_jdk_line=${millrace_jdk_line%/*}
  printf '%s\n' "${millrace_jdk_line%/*}"
}

millrace_jdk_find() {
  if [ -n "${MILLRACE_JAVA_HOME-}" ]; then
    millrace_jdk_fits "$MILLRACE_JAVA_HOME" && return 0
    echo "MILLRACE_JAVA_HOME is $MILLRACE_JAVA_HOME, which is not a JDK 25 or newer." >&2
    return 1
  fi
  for millrace_jdk_home in \
    "${JAVA_HOME-}" \
    "$(millrace_jdk_on_path)" \
    "${MILLRACE_JDK_ROOT-}"/usr/lib/jvm/* \
    "${MILLRACE_JDK_ROOT-}"/opt/* \
    "${HOME-}"/.sdkman/candidates/java/* \
    "${MILLRACE_JDK_ROOT-}"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$millrace_jdk_home" ] && millrace_jdk_fits "$millrace_jdk_home"; then
      return 0
    fi
  done
  echo "Millrace needs a JDK 25 or newer and found none." >&2
  [ -z "$millrace_jdk_found" ] || echo "Too old:$millrace_jdk_found" >&2
  return 1
}

millrace_jdk_find || {
  echo "Install one, such as Eclipse Temurin 25, or set MILLRACE_JAVA_HOME to the directory of one." >&2
  exit 1
}

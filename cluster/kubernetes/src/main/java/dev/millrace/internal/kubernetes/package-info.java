/// What an application needs to run on Kubernetes: its objects, as YAML.
@NullMarked
package dev.millrace.internal.kubernetes;

import org.jspecify.annotations.NullMarked;

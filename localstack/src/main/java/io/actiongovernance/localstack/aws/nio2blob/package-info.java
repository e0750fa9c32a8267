/**
 * What S3Proxy stores objects in. It goes by the name of a backend's package for what that can do
 * (conditional puts, by {@code .nio2blob.}), so that this is called as its own is.
 */
@NullMarked
package io.actiongovernance.localstack.aws.nio2blob;

import org.jspecify.annotations.NullMarked;

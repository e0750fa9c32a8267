/** The command line {@code localstack/gov}, which works with any base URL, over HTTP. */
@NullMarked
package io.actiongovernance.localstack.gov;

import org.jspecify.annotations.NullMarked;

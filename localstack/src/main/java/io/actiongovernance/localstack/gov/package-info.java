/** The command line {@code localstack/gov}: over HTTP, against any base URL. */
@NullMarked
package io.actiongovernance.localstack.gov;

import org.jspecify.annotations.NullMarked;

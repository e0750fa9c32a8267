/** The command line and the terminal tools. */
@NullMarked
package io.actiongovernance.localstack.acceptance.gov;

import org.jspecify.annotations.NullMarked;

/** What is deployed, proven on the synthesised templates. */
@NullMarked
package io.actiongovernance.infra;

import org.jspecify.annotations.NullMarked;

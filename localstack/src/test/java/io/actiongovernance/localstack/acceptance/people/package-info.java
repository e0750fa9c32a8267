/** People, their sign-in, sessions and identity providers. */
@NullMarked
package io.actiongovernance.localstack.acceptance.people;

import org.jspecify.annotations.NullMarked;

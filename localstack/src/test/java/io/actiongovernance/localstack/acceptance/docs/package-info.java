/** The published document, the clients made of it, and the pages whose commands run. */
@NullMarked
package io.actiongovernance.localstack.acceptance.docs;

import org.jspecify.annotations.NullMarked;

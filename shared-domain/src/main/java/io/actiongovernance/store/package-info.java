/** The document tables the rules are kept in: conditional writes, transactions, ordered reads. */
@NullMarked
package io.actiongovernance.store;

import org.jspecify.annotations.NullMarked;

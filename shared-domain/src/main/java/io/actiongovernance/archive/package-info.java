/** What is kept for good outside of the tables: written once a day, compared, and read again. */
@NullMarked
package io.actiongovernance.archive;

import org.jspecify.annotations.NullMarked;

// Whether the schemas of the extension take these two: CREATED DETAILED, each the JSON of a result.
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';

const [created, detailed] = process.argv.slice(2).map((text) => JSON.parse(text));
console.log(isCreateTaskResultV2(created), isDetailedTaskV2(detailed));

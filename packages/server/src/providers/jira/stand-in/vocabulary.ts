/** Lists the three categories of Jira's statuses. */
export const statusCategories = {
  new: { id: 2, key: 'new', name: 'To Do', colorName: 'blue-gray' },
  indeterminate: { id: 4, key: 'indeterminate', name: 'In Progress', colorName: 'yellow' },
  done: { id: 3, key: 'done', name: 'Done', colorName: 'green' },
} as const

/** Lists the statuses of every project, by name. */
export const statuses = {
  'To Do': { id: '10000', category: 'new' },
  'In Progress': { id: '3', category: 'indeterminate' },
  'In Review': { id: '10001', category: 'indeterminate' },
  Done: { id: '10002', category: 'done' },
} as const

/** Lists the issue types of every project, by name. */
export const issueTypes = {
  Story: { id: '10001', subtask: false, hierarchyLevel: 0 },
  Task: { id: '10002', subtask: false, hierarchyLevel: 0 },
  Bug: { id: '10004', subtask: false, hierarchyLevel: 0 },
} as const

/** Lists the priorities of every project, by name. */
export const priorities = {
  Highest: { id: '1' },
  High: { id: '2' },
  Medium: { id: '3' },
  Low: { id: '4' },
  Lowest: { id: '5' },
} as const

/** Names a status. Example: `In Progress`. */
export type StatusName = keyof typeof statuses
/** Names an issue type. Example: `Bug`. */
export type TypeName = keyof typeof issueTypes
/** Names a priority. Example: `Medium`. */
export type PriorityName = keyof typeof priorities

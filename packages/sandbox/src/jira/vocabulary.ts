/** The three groups that every status of Jira belongs to. */
export const statusCategories = {
  new: { id: 2, key: 'new', name: 'To Do', colorName: 'blue-gray' },
  indeterminate: { id: 4, key: 'indeterminate', name: 'In Progress', colorName: 'yellow' },
  done: { id: 3, key: 'done', name: 'Done', colorName: 'green' },
} as const

/** The statuses of every project, by name. */
export const statuses = {
  'To Do': { id: '10000', category: 'new' },
  'In Progress': { id: '3', category: 'indeterminate' },
  'In Review': { id: '10001', category: 'indeterminate' },
  Done: { id: '10002', category: 'done' },
} as const

/** The issue types of every project, by name. */
export const issueTypes = {
  Story: { id: '10001', subtask: false, hierarchyLevel: 0 },
  Task: { id: '10002', subtask: false, hierarchyLevel: 0 },
  Bug: { id: '10004', subtask: false, hierarchyLevel: 0 },
} as const

/** The priorities of every project, by name. */
export const priorities = {
  Highest: { id: '1' },
  High: { id: '2' },
  Medium: { id: '3' },
  Low: { id: '4' },
  Lowest: { id: '5' },
} as const

/** Example: `In Progress`. */
export type StatusName = keyof typeof statuses
/** Example: `Bug`. */
export type TypeName = keyof typeof issueTypes
/** Example: `Medium`. */
export type PriorityName = keyof typeof priorities

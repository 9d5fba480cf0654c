import type { LinearState } from './state.ts'
import { addIssue, addTeam } from './write-state.ts'

/** Adds the seed: the same story as in the pretended Jira, and a private team that the application was not given. */
export function seedLinear(state: LinearState): void {
  addTeam(state, { key: 'ABC', name: 'Shop' })
  addTeam(state, { key: 'WEB2', name: 'Website' })
  addTeam(state, { key: 'SEC', name: 'Security' }).isHidden = true
  const started = { name: 'In Progress', type: 'started' } as const
  const done = { name: 'Done', type: 'completed' } as const
  addIssue(state, {
    team: 'ABC',
    title: 'The basket forgets its currency',
    state: started,
    priorityLabel: 'High',
    assignee: 'ada',
  })
  addIssue(state, { team: 'ABC', title: 'Show the delivery date', assignee: 'ada' })
  addIssue(state, { team: 'ABC', title: 'Remove the old checkout', state: done })
  addIssue(state, { team: 'WEB2', title: 'Rewrite the start page', state: started })
  addIssue(state, { team: 'SEC', title: 'Turn the keys over', priorityLabel: 'Urgent' })
}

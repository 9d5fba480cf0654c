/** Maps each page of the documentation to the sentence that tells a reader whether it is the right one. */
const summaries: Readonly<Record<string, string>> = {
  'guide/getting-started.md':
    'From nothing to an application that sees a flag flip without a restart, in five minutes.',
  'guide/dashboard.md':
    'The set-up, people and roles, signing in, the timeline, the keyboard, and what the browser stores.',
  'guide/configuration.md':
    'Keys, types and secrets; environments that inherit and are protected; editing, reviewing, restoring and promoting values.',
  'guide/feature-flags.md':
    'Rules and percentage rollouts, how Node decides without a request, and OpenFeature in every language.',
  'guide/clients.md':
    'Read values in Node, in browsers and over HTTP: types, errors, tests, and what happens when the server is gone.',
  'guide/react.md': 'A provider and hooks with values in the first render, live updates and types.',
  'guide/next.md':
    'Configuration in server components, live hooks, and pages that Next.js renders again after a change.',
  'guide/vite.md':
    'Preload the configuration in the head of the page, and stop a build that would leak a secret.',
  'guide/integrations.md':
    'Connect GitHub, Jira and Slack; map environments, run tests after a deployment, and route messages.',
  'guide/ci.md':
    'Check the definition in every pull request with the GitHub Action, and push it from main.',
  'guide/cli.md':
    'Every command of `signalbox`: sign in, push, set, check, run programs with values, and use it in pipelines.',
  'guide/operations.md':
    'Run the server: PostgreSQL, several nodes, the root key, backups, single sign-on, monitoring, limits and upgrades.',
  'reference/settings.md':
    'Every environment variable of the server, with its default; rate limits and capacities.',
  'reference/measurements.md': 'What was measured, on which machine, and against which target.',
  'reference/rest.md': 'Every endpoint, with the role or key that it needs and its own problems.',
  'problems.md': 'Every problem code of the API: why it happens and what to do.',
  'vocabulary.md': 'What each word means, in the code, the API and the documents.',
  'ARCHITECTURE.md':
    'How the service is built: processes, data, and the way of a write and of a webhook.',
  'decisions/README.md': 'Why it is built this way: the list of decision records.',
}

/** Returns the summary of a page, by its path in `docs/`. @throws where nobody has written one. */
export function summaryOf(source: string): string {
  const summary = summaries[source]
  if (summary === undefined)
    throw new Error(`scripts/docs/summaries.ts has no summary of ${source}`)
  return summary
}

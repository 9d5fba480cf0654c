/** Maps each page of the documentation to the sentence that tells a reader whether it is the right one. */
const summaries: Readonly<Record<string, string>> = {
  'guide/getting-started.md':
    'Install the server, declare keys, and read a flag in an application, in five minutes.',
  'guide/dashboard.md':
    'The set-up, people and roles, signing in, the timeline, the keyboard, and what the browser stores.',
  'guide/configuration.md':
    'Keys, types and secrets; environments that inherit and are protected; editing, reviewing, restoring and promoting values.',
  'guide/feature-flags.md':
    'Rules and percentage rollouts, how Node decides without a request, and OpenFeature in every language.',
  'guide/flags-in-every-language.md':
    'Which way for which language: the address, the key and the code for Java, Go, .NET, Python, Ruby, PHP, Rust and Kotlin.',
  'guide/import.md':
    'Bring flags from LaunchDarkly, Unleash and flagd, with a plan first and the same users in each rollout.',
  'guide/configuration-file.md':
    'Environments, mappings, routes and webhooks as a file: plan, apply, drift, pipelines and Terraform.',
  'guide/clients.md':
    'Read values in Node, in browsers and over HTTP: types, errors, and the behavior without the server.',
  'guide/serverless.md':
    'Workers, functions, Deno and Bun: which build they get, a process for each request, and every option of the client.',
  'guide/react.md': 'A provider and hooks with values in the first render, live updates and types.',
  'guide/next.md':
    'Configuration in server components, live hooks, and pages that Next.js renders again after a change.',
  'guide/vite.md':
    'Preload the configuration in the head of the page, and stop a build that would leak a secret.',
  'guide/tests.md':
    'Values for unit tests, components and pages, with Vitest, Jest and Playwright, without a server.',
  'guide/signatures.md':
    'Tell whether anything between Signalbox and an application has changed a snapshot, and put a CDN or nginx in front.',
  'guide/kubernetes.md':
    'Values in a cluster: Secrets and ConfigMaps, External Secrets Operator, and pods without a stored key.',
  'guide/targets.md':
    'Write the values of an environment to GitHub Actions secrets and variables, or to a project on Vercel.',
  'guide/integrations.md':
    'Connect a code host, an issue tracker and a chat; map environments, run tests after a deployment, and route messages.',
  'guide/discord.md':
    'Create the Discord application, add its bot to a Discord server, and what it needs and can’t do.',
  'guide/mattermost.md':
    'Messages in your own Mattermost: its address, the bot, connecting by a token, and what it can’t do.',
  'guide/gitlab.md':
    'Connect gitlab.com or your own GitLab: the application, the scopes, webhooks, test runs, and what it cannot do.',
  'guide/forgejo.md':
    'Connect Forgejo or Gitea: the application, the scopes, deployments that your pipeline reports, test runs and webhooks.',
  'guide/linear.md':
    'Connect Linear as the issue tracker: the application to register, the one right, and what is limited.',
  'guide/github-issues.md':
    'Use the issues of your GitHub repositories: the one permission, how commits name issues, and what it can’t do.',
  'guide/gitlab-issues.md':
    'Use the issues of your GitLab projects: how commits name issues, confidential issues, and what it can’t do.',
  'guide/forgejo-issues.md':
    'Use the issues of your Forgejo or Gitea repositories: the one scope, how commits name issues, and what it can’t do.',
  'guide/ci.md':
    'Check the definition in every pull request with the GitHub Action, and push it from main.',
  'guide/cli.md':
    'Every command of `signalbox`: sign in, push, set, check, run programs with values, and use it in pipelines.',
  'guide/assistants.md':
    'Connect a coding assistant: its token, its tools, and what it cannot see or change.',
  'guide/operations.md':
    'Run the server: PostgreSQL, several nodes, the root key, backups, single sign-on, monitoring, limits and upgrades.',
  'guide/audit-log.md':
    'Send every audit event to the OpenTelemetry Collector, Loki, Splunk or standard output, and see what is missing there.',
  'reference/settings.md':
    'Every environment variable of the server, with its default; rate limits and capacities.',
  'reference/measurements.md':
    'Measured speeds and sizes, with the machine and the target of each.',
  'reference/growth.md': 'Times, memory and starts of a server that grows, and what old rows cost.',
  'reference/rest.md': 'Every endpoint, with the role or key that it needs and its own problems.',
  'problems.md': 'Every problem code of the API, with its cause and what to do.',
  'vocabulary.md': 'The meaning of each word in the code, the API and the documents.',
  'ARCHITECTURE.md': 'The architecture: processes, data, and the path of a write and of a webhook.',
  'decisions/README.md': 'The decision records: the reasons behind the architecture.',
}

/** Returns the summary of a page, by its path in `docs/`. @throws where nobody has written one. */
export function summaryOf(source: string): string {
  const summary = summaries[source]
  if (summary === undefined)
    throw new Error(`scripts/docs/summaries.ts has no summary of ${source}`)
  return summary
}

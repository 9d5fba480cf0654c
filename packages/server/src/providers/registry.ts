import { discord } from './discord/index.ts'
import { forgejo } from './forgejo/index.ts'
import { forgejoIssues } from './forgejo/issues/index.ts'
import { github } from './github/index.ts'
import { furtherGitlabs, gitlab } from './gitlab/index.ts'
import { githubIssues } from './github/issues/index.ts'
import { furtherGitlabIssues, gitlabIssues } from './gitlab/issues/index.ts'
import { jira } from './jira/index.ts'
import { linear } from './linear/index.ts'
import { mattermost } from './mattermost/index.ts'
import type { Destination, Provider } from './provider.ts'
import { slack } from './slack/index.ts'
import { vercel } from './vercel/index.ts'

/** Lists every provider of this service. Of several of a kind the first is shown where none is connected. */
export const providers: readonly Provider[] = [
  github,
  gitlab,
  forgejo,
  jira,
  linear,
  githubIssues,
  gitlabIssues,
  forgejoIssues,
  slack,
  discord,
  mattermost,
]

/** Lists further instances of those providers, which have settings of their own. They are there once they have an address. */
export const furtherInstances: readonly Provider[] = [...furtherGitlabs, ...furtherGitlabIssues]

/** Lists what values can be written to, although no organization connects it. */
export const otherDestinations: readonly Destination[] = [vercel]

import { discord } from './discord/index.ts'
import { forgejo } from './forgejo/index.ts'
import { github } from './github/index.ts'
import { gitlab } from './gitlab/index.ts'
import { jira } from './jira/index.ts'
import { linear } from './linear/index.ts'
import { mattermost } from './mattermost/index.ts'
import { slack } from './slack/index.ts'
import { vercel } from './vercel/index.ts'

/** Lists every pretended provider, by its name. The first of a kind is the usual one. */
export const standIns = {
  github,
  gitlab,
  forgejo,
  jira,
  linear,
  slack,
  mattermost,
  discord,
  vercel,
}

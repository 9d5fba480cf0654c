import { discord } from '../../server/src/providers/discord/stand-in/index.ts'
import { forgejo } from '../../server/src/providers/forgejo/stand-in/index.ts'
import { github } from '../../server/src/providers/github/stand-in/index.ts'
import { gitlab } from '../../server/src/providers/gitlab/stand-in/index.ts'
import { jira } from '../../server/src/providers/jira/stand-in/index.ts'
import { linear } from '../../server/src/providers/linear/stand-in/index.ts'
import { mattermost } from '../../server/src/providers/mattermost/stand-in/index.ts'
import { slack } from '../../server/src/providers/slack/stand-in/index.ts'
import { vercel } from '../../server/src/providers/vercel/stand-in/index.ts'

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

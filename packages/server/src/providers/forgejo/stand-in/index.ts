import {
  clientSettings,
  describeStandIn,
  issuesOf,
  type Participant,
} from '../../../../../sandbox/src/models/stand-in.ts'
import { createForgejo, forgejoPath } from './forgejo.ts'

/** Stands in for a Forgejo or Gitea instance, with its application and its issues. */
export const forgejo = describeStandIn({
  create: createForgejo,
  addresses: { forgejo: forgejoPath },
  participants(own, at) {
    const host: Participant = {
      name: 'forgejo',
      title: 'Forgejo',
      kind: 'codehost',
      settings: () => ({
        SIGNALBOX_FORGEJO_URL: at.forgejo,
        ...clientSettings('FORGEJO', own.app),
      }),
      register({ callbackUrl }) {
        own.app.redirectUris = [callbackUrl]
      },
      testWorkflow: 'e2e.yml',
    }
    return [host, issuesOf(host, own.codeHost)]
  },
  switches: (own) => [
    {
      name: 'forgejo-revoke',
      title: 'Forgejo: remove the application',
      explains:
        'Ends all of its tokens, as in the settings of the person. Connect again afterwards.',
      turn: () => own.revokeGrants(),
    },
  ],
})

import { call } from '../api/call.ts'
import { openKeyboardHelp } from '../keyboard/open-keyboard-help.ts'
import { showRejection } from '../components/show-rejection.ts'
import type { Role } from '../session/session.ts'
import { chosenTheme, themes } from '../browser/theme.ts'
import type { Command } from './commands.ts'

interface ActionContext {
  readonly slug: string
  readonly params: { readonly org_id: string }
  readonly can: (role: Role) => boolean
  readonly go: (href: string) => void
  /** Says whether a code host is connected, which a sync reads. */
  readonly canSync: boolean
  /** Says whether the connected provider lets Signalbox start workflows. */
  readonly canRunWorkflows: boolean
}

/** Returns the actions that the palette offers, limited to what the person may do. */
export function toActions({
  slug,
  params,
  can,
  go,
  canSync,
  canRunWorkflows,
}: ActionContext): readonly Command[] {
  const action = (role: Role, label: string, does: Command['does']): readonly Command[] =>
    can(role) ? [{ label, kind: 'Action', does }] : []
  return [
    ...(canSync
      ? action('developer', 'Sync now', () => void sync({ slug, params, go })).map((one) => ({
          ...one,
          hasEffect: true,
        }))
      : []),
    ...(canRunWorkflows
      ? action('developer', 'Run workflow', `/${slug}/deployments?run=true`)
      : []),
    ...action('admin', 'Invite member', `/${slug}/members?new=true`),
    ...action('admin', 'Create API key', `/${slug}/keys?new=true`),
    { label: 'Keyboard shortcuts', kind: 'Action', does: openKeyboardHelp },
    ...themes.map((theme) => ({
      label: `Theme: ${theme.label}`,
      kind: 'Action',
      does: () => chosenTheme.set(theme),
      hasEffect: true,
    })),
  ]
}

/** Starts a sync, and opens the screen that shows its progress. */
async function sync({
  slug,
  params,
  go,
}: Pick<ActionContext, 'slug' | 'params' | 'go'>): Promise<void> {
  try {
    const { syncId } = await call('POST /organizations/{org_id}/integrations/codehost/sync', {
      params,
    })
    go(`/${slug}/deployments?sync=${syncId}`)
  } catch (error) {
    showRejection('start the sync', error)
  }
}

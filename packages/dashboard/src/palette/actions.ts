import { call } from '../api/call.ts'
import { toApiProblem } from '../api/problem.ts'
import { openKeyboardHelp } from '../keyboard/open-keyboard-help.ts'
import { showToast } from '../parts/toasts.tsx'
import type { Role } from '../shell/session.ts'
import { saveTheme, themes } from '../shell/theme.ts'
import type { Command } from './commands.ts'

interface Place {
  readonly slug: string
  readonly params: { readonly org_id: string }
  readonly can: (role: Role) => boolean
  readonly go: (href: string) => void
}

/** What can be begun from anywhere, as far as the person may. */
export function toActions({ slug, params, can, go }: Place): readonly Command[] {
  const action = (role: Role, label: string, does: Command['does']): readonly Command[] =>
    can(role) ? [{ label, kind: 'Action', does }] : []
  return [
    ...action('developer', 'Sync now', () => void sync({ slug, params, go })),
    ...action('developer', 'Run workflow', `/${slug}/deployments?run=true`),
    ...action('admin', 'Invite member', `/${slug}/members?new=true`),
    ...action('admin', 'Create API key', `/${slug}/keys?new=true`),
    { label: 'Keyboard shortcuts', kind: 'Action', does: openKeyboardHelp },
    ...themes.map((theme) => ({
      label: `Theme: ${theme.label}`,
      kind: 'Action',
      does: () => saveTheme(theme),
    })),
  ]
}

/** Begins a sync, and leads to where one sees how far it is. */
async function sync({ slug, params, go }: Omit<Place, 'can'>): Promise<void> {
  try {
    const { syncId } = await call('POST /organizations/{org_id}/integrations/codehost/sync', {
      params,
    })
    go(`/${slug}/deployments?sync=${syncId}`)
  } catch (error) {
    showToast({ text: toApiProblem(error).message, tone: 'bad' })
  }
}

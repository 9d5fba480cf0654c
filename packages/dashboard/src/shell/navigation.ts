import { pages, type PageId } from '@signalbox/contract'
import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Bell,
  CloudUpload,
  Contact,
  Flag,
  GitCommitVertical,
  GitPullRequest,
  HeartPulse,
  House,
  KeyRound,
  Layers,
  OctagonPause,
  Plug,
  Rocket,
  ScrollText,
  Send,
  Settings,
  SlidersHorizontal,
  Users,
  Webhook,
  Braces,
  type LucideIcon,
} from 'lucide-react'
import type { Role } from '../session/session.ts'

/** Addresses within an organization. */
type OrganizationPath = Extract<LinkProps['to'], `/$org${string}`>

interface Entry {
  readonly page: PageId
  readonly to: OrganizationPath
  readonly icon: LucideIcon
  /** Holds the key after `g` that opens it. */
  readonly key: string
}

/** Describes a page of an organization. */
export interface Destination extends Entry {
  readonly label: string
  /** Holds the least role that may open it. Default every member. */
  readonly role?: Role
}

const groups: readonly (readonly Entry[])[] = [
  [
    { page: 'overview', to: '/$org', icon: House, key: 'o' },
    { page: 'deployments', to: '/$org/deployments', icon: Rocket, key: 'd' },
    { page: 'gates', to: '/$org/gates', icon: OctagonPause, key: 'g' },
    { page: 'environments', to: '/$org/environments', icon: Layers, key: 'e' },
    { page: 'timeline', to: '/$org/timeline', icon: Activity, key: 'l' },
  ],
  [
    { page: 'config', to: '/$org/config', icon: SlidersHorizontal, key: 'c' },
    { page: 'flags', to: '/$org/flags', icon: Flag, key: 'f' },
    { page: 'segments', to: '/$org/segments', icon: Contact, key: 'u' },
    { page: 'schemas', to: '/$org/schemas', icon: Braces, key: 's' },
    { page: 'history', to: '/$org/history', icon: GitCommitVertical, key: 'h' },
    { page: 'requests', to: '/$org/requests', icon: GitPullRequest, key: 'q' },
  ],
  [
    { page: 'integrations', to: '/$org/integrations', icon: Plug, key: 'i' },
    { page: 'webhooks', to: '/$org/webhooks', icon: Webhook, key: 'w' },
    { page: 'outgoing', to: '/$org/outgoing-webhooks', icon: Send, key: 'p' },
    { page: 'signals', to: '/$org/signals', icon: HeartPulse, key: 'y' },
    { page: 'targets', to: '/$org/targets', icon: CloudUpload, key: 'r' },
    { page: 'notifications', to: '/$org/notifications', icon: Bell, key: 'n' },
  ],
  [
    { page: 'keys', to: '/$org/keys', icon: KeyRound, key: 'k' },
    { page: 'members', to: '/$org/members', icon: Users, key: 'm' },
    { page: 'audit', to: '/$org/audit', icon: ScrollText, key: 'a' },
    { page: 'settings', to: '/$org/settings', icon: Settings, key: 't' },
  ],
]

/** Lists the entries of the sidebar in groups. The palette and the keyboard use them too. */
export const destinations: readonly (readonly Destination[])[] = groups.map((group) =>
  group.map((entry) => {
    const { title, ...about } = pages[entry.page]
    return { ...entry, label: title, ...('role' in about && { role: about.role }) }
  }),
)

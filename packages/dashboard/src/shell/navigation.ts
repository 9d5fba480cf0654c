import type { LinkProps } from '@tanstack/react-router'
import {
  Activity,
  Bell,
  Flag,
  GitCommitVertical,
  House,
  KeyRound,
  Layers,
  Plug,
  Rocket,
  ScrollText,
  Settings,
  SlidersHorizontal,
  Users,
  Webhook,
  Braces,
  type LucideIcon,
} from 'lucide-react'
import type { Role } from './session.ts'

/** Addresses within an organization. */
type OrganizationPath = Extract<LinkProps['to'], `/$org${string}`>

export interface Destination {
  readonly label: string
  readonly to: OrganizationPath
  readonly icon: LucideIcon
  /** The keys after `g` that go there. */
  readonly key: string
  /** Who has something to do there. Left out: everyone. */
  readonly role?: Role
}

/** The rail's entries, in groups; the palette and the keyboard go to the same places. */
export const destinations: readonly (readonly Destination[])[] = [
  [
    { label: 'Overview', to: '/$org', icon: House, key: 'o' },
    { label: 'Deployments', to: '/$org/deployments', icon: Rocket, key: 'd' },
    { label: 'Environments', to: '/$org/environments', icon: Layers, key: 'e' },
    { label: 'Timeline', to: '/$org/timeline', icon: Activity, key: 'l' },
  ],
  [
    { label: 'Configuration', to: '/$org/config', icon: SlidersHorizontal, key: 'c' },
    { label: 'Flags', to: '/$org/flags', icon: Flag, key: 'f' },
    { label: 'Schemas', to: '/$org/schemas', icon: Braces, key: 's' },
    { label: 'History', to: '/$org/history', icon: GitCommitVertical, key: 'h' },
  ],
  [
    { label: 'Integrations', to: '/$org/integrations', icon: Plug, key: 'i' },
    { label: 'Notifications', to: '/$org/notifications', icon: Bell, key: 'n' },
    { label: 'Webhooks', to: '/$org/webhooks', icon: Webhook, key: 'w' },
  ],
  [
    { label: 'API keys', to: '/$org/keys', icon: KeyRound, key: 'k' },
    { label: 'Members', to: '/$org/members', icon: Users, key: 'm' },
    { label: 'Audit log', to: '/$org/audit', icon: ScrollText, key: 'a', role: 'admin' },
    { label: 'Settings', to: '/$org/settings', icon: Settings, key: 't' },
  ],
]

import { toHref } from '@signalbox/contract'
import type { Kit } from '../kit.ts'
import type { NotificationDeps } from './notification-deps.ts'

/**
 * Returns the function that makes links to pages. They are the same on every node, so that none changes back the link of
 * another: the address of this node is used only where it is the only one.
 */
export function toPageUrl({
  settings,
  publicUrl,
}: Pick<Kit, 'settings' | 'publicUrl'>): NotificationDeps['pageUrl'] {
  return (orgId, page) => {
    const isAlone = settings.databaseUrl === undefined
    const url = settings.publicUrl ?? (isAlone ? publicUrl() : '')
    return url === '' ? null : `${url}/${orgId}${toHref(page)}`
  }
}

/** Which route is open, as the address says it. */
export interface NotificationsSearch {
  /** The id of one, or `new`. */
  readonly route?: string
}

export function readNotificationsSearch({ route }: Record<string, unknown>): NotificationsSearch {
  return typeof route === 'string' && route !== '' ? { route } : {}
}

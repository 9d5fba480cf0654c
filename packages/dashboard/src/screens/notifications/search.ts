/** Describes which route is open, as the address says it. */
export interface NotificationsSearch {
  /** The id of one, or `new`. */
  readonly route?: string
}

/** Reads the address of the screen; what it does not know is left out. */
export function readNotificationsSearch({ route }: Record<string, unknown>): NotificationsSearch {
  return typeof route === 'string' && route !== '' ? { route } : {}
}

/** Describes the open route, as the address holds it. */
export interface NotificationsSearch {
  /** Holds the id of a route, or `new`. */
  readonly route?: string
}

/** Reads the address of the screen. Unknown values are left out. */
export function readNotificationsSearch({ route }: Record<string, unknown>): NotificationsSearch {
  return typeof route === 'string' && route !== '' ? { route } : {}
}

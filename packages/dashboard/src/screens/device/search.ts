/** Describes the address of the screen. */
export interface DeviceSearch {
  /** Holds the code of the link that the device printed. */
  readonly user_code?: string
}

/** Reads the address of the screen. Unknown values are left out. */
export function readDeviceSearch({ user_code }: Record<string, unknown>): DeviceSearch {
  return typeof user_code === 'string' ? { user_code } : {}
}

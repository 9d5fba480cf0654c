/** Describes what the address of the screen says. */
export interface DeviceSearch {
  /** From the link that the device printed. */
  readonly user_code?: string
}

/** Reads the address of the screen; what it does not know is left out. */
export function readDeviceSearch({ user_code }: Record<string, unknown>): DeviceSearch {
  return typeof user_code === 'string' ? { user_code } : {}
}

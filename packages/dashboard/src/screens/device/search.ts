export interface DeviceSearch {
  /** From the link that the device printed. */
  readonly user_code?: string
}

export function readDeviceSearch({ user_code }: Record<string, unknown>): DeviceSearch {
  return typeof user_code === 'string' ? { user_code } : {}
}

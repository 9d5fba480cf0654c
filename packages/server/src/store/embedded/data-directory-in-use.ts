import { OperatorError } from '../operator-error.ts'

/** Two processes must not serve from one data directory. The message names the other one. */
export class DataDirectoryInUse extends OperatorError {
  override readonly name = 'DataDirectoryInUse'
  readonly pid: number | undefined

  constructor(dataDir: string, pid: number | undefined) {
    const holder = pid === undefined ? 'Another Signalbox' : `Another Signalbox (process ${pid})`
    super(`${holder} is running on ${dataDir}.`, {
      code: 'data_directory_in_use',
      hint: 'Stop it, or choose another data directory with SIGNALBOX_DATA_DIR.',
    })
    this.pid = pid
  }
}

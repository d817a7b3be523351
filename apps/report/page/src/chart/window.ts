// The stretch of time that several charts show together.

export type Stretch = { min: number; max: number } | null; // null: all

export class TimeWindow {
  private static count = 0;
  readonly key = `cosimo-${++TimeWindow.count}`; // of uPlot's synchronised cursors
  private readonly listeners = new Set<(stretch: Stretch) => void>();
  private stretch_: Stretch = null;

  get stretch(): Stretch {
    return this.stretch_;
  }

  set(stretch: Stretch): void {
    const same = stretch?.min === this.stretch_?.min && stretch?.max === this.stretch_?.max;
    if (same) return;
    this.stretch_ = stretch;
    for (const listener of this.listeners) listener(stretch);
  }

  listen(listener: (stretch: Stretch) => void): void {
    this.listeners.add(listener);
  }
}

// The stretch of time that several charts show together, and the time at which the motion stands.

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

  private readonly clocks = new Set<(t: number | null) => void>();
  private readonly seekers = new Set<(t: number) => void>();
  private now_: number | null = null;

  /// null: nothing moves on this page.
  get now(): number | null {
    return this.now_;
  }

  /// The motion stands here.
  show(t: number): void {
    this.now_ = t;
    for (const clock of this.clocks) clock(t);
  }

  onClock(clock: (t: number | null) => void): void {
    this.clocks.add(clock);
  }

  /// Somebody asks the motion to go there.
  seek(t: number): void {
    for (const seeker of this.seekers) seeker(t);
  }

  /// The motion of another run takes the place of the one there was.
  forgetSeekers(): void {
    this.seekers.clear();
  }

  onSeek(seeker: (t: number) => void): void {
    this.seekers.add(seeker);
  }
}

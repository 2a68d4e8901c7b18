/** Where packets have been drawn, to find the one below the pointer. */
export class Hits {
  #count = 0;
  #boxes = new Float32Array(4096);
  #ids = new Int32Array(1024);

  clear(): void {
    this.#count = 0;
  }

  add(id: number, x: number, y: number, width: number, height: number): void {
    if (this.#count === this.#ids.length) {
      const [boxes, ids] = [this.#boxes, this.#ids];
      this.#boxes = new Float32Array(boxes.length * 2);
      this.#boxes.set(boxes);
      this.#ids = new Int32Array(ids.length * 2);
      this.#ids.set(ids);
    }
    this.#ids[this.#count] = id;
    this.#boxes.set([x, y, width, height], this.#count * 4);
    this.#count++;
  }

  /** The packet at a point, or the nearest within `reach` pixels; null: there is none. */
  find(x: number, y: number, reach: number): number | null {
    let best: number | null = null;
    let least = reach * reach;
    for (let at = 0; at < this.#count; at++) {
      const [left, top, width, height] = this.#boxes.subarray(at * 4, at * 4 + 4) as unknown as [
        number,
        number,
        number,
        number,
      ];
      const dx = Math.max(left - x, 0, x - left - width);
      const dy = Math.max(top - y, 0, y - top - height);
      const distance = dx * dx + dy * dy;
      if (distance > least) continue;
      least = distance;
      best = this.#ids[at] ?? null;
    }
    return best;
  }
}

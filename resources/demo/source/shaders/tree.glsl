// A bare tree.

/** Branches folded upon themselves, each fold a little different, so that no two sides are alike. */
float tree(vec2 p) {
  float best = 9.0, size = 1.0, long_ = 0.34, way = 1.0;
  for (int i = 0; i < 11; i++) {
    p.x += 0.05 * sin(p.y / long_ * 2.4 + float(i) * 1.9) * long_ * 3.0 * smoothstep(0.0, long_, p.y);
    float y = clamp(p.y, 0.0, long_);
    float thick = 0.026 * pow(0.66, float(i)) * (1.0 - 0.30 * y / long_) + 0.0007;
    best = min(best, length(p - vec2(0.0, y)) - thick);
    p.y -= long_ * (0.82 + 0.18 * sin(float(i) * 2.3 + way));
    float lean = p.x > 0.0 ? 1.0 : -1.0;
    way += lean * (1.7 + float(i));
    p.x = abs(p.x);
    float angle = 0.36 + 0.2 * sin(way * 3.1 + float(i)) + 0.05 * float(i);
    p = turn(-angle) * p;
    long_ *= 0.80 + 0.06 * sin(way);
    size *= 0.8;
  }
  return best;
}

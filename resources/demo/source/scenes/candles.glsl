// Three candles on a dark table, one of them nearly done.

/** A candle's flame: outer shape, 1 at its heart. */
float flame(vec2 p, float tall) {
  p.x += 0.012 * sin(p.y * 14.0 + tall * 40.0) * smoothstep(0.0, tall, p.y);
  float y = p.y / tall, wide = 0.30 * tall * pow(max(y + 0.06, 0.0), 0.55) * pow(max(1.0 - y, 0.0), 0.8);
  return y < -0.06 || y > 1.0 ? 0.0 : smoothstep(1.0, 0.35, abs(p.x) / max(wide, 1e-4));
}

vec3 scene(vec2 p) {
  vec2 feet[3] = vec2[3](vec2(-0.30, -0.50), vec2(0.02, -0.58), vec2(0.27, -0.47));
  float tops[3] = float[3](0.40, 0.12, -0.16), wides[3] = float[3](0.062, 0.075, 0.070);
  vec3 c = vec3(0.020, 0.011, 0.008) * (0.6 + 0.8 * fbm(p * 2.0, 4));
  for (int i = 0; i < 3; i++) {
    vec2 fire = vec2(feet[i].x, tops[i] + 0.10);
    c += vec3(0.36, 0.150, 0.045) * (0.30 * exp(-2.3 * length(p - fire)) + 0.20 * exp(-7.0 * length(p - fire)));
  }
  for (int i = 0; i < 3; i++) {
    float top = tops[i], wide = wides[i];
    vec2 q = p - vec2(feet[i].x, 0.0);
    float rim = top - 0.012 * (1.0 - pow(q.x / wide, 2.0)) + 0.012 * noise(vec2(q.x * 40.0, float(i)));
    float drip = 0.0;
    for (int j = 0; j < 4; j++) {
      float id = hash2(vec2(float(i), float(j))), x = (id - 0.5) * 1.8 * wide, len = 0.10 + 0.30 * hash1(id * 7.0);
      drip = max(drip, smoothstep(0.016, 0.004, abs(q.x - x)) * step(top - len, q.y) + smoothstep(0.019, 0.013, length((q - vec2(x, top - len)) * vec2(1.0, 0.7))));
    }
    float side = wide + 0.006 * drip + 0.003 * noise(vec2(q.y * 9.0, float(i)));
    if (abs(q.x) < side && q.y < rim && q.y > feet[i].y - 0.03 * sqrt(max(0.0, 1.0 - pow(q.x / side, 2.0)))) {
      float round_ = sqrt(max(0.0, 1.0 - pow(q.x / side, 2.0))), down = top - q.y;
      vec3 wax = vec3(0.80, 0.60, 0.36) * (0.05 + 0.20 * round_) + vec3(2.3, 1.02, 0.30) * exp(-down * 6.0) * (0.45 + 0.55 * round_);
      for (int j = 0; j < 3; j++) {
        if (j == i) continue;
        float toward = sign(feet[j].x - feet[i].x), near = exp(-abs(q.y - tops[j] - 0.08) * 3.0);
        wax += vec3(0.50, 0.25, 0.09) * near * max(0.0, 0.2 + toward * q.x / side) * 0.8;
      }
      wax *= 0.9 + 0.25 * drip * (0.5 + q.x / side);
      c = mix(c, wax, smoothstep(0.0, 0.004, side - abs(q.x)));
    }
    float pool = length((q - vec2(0.0, top - 0.003)) * vec2(1.0, 4.6)) - wide * 0.86;
    c = mix(c, vec3(2.6, 1.25, 0.42), smoothstep(0.006, -0.006, pool) * 0.85);
    vec2 wick = q - vec2(0.004, top);
    c = mix(c, vec3(0.015), smoothstep(0.004, 0.001, segment(wick, vec2(0.0), vec2(0.004, 0.045)) - 0.003));
    float tall = 0.20 - 0.02 * float(i), body = flame(wick - vec2(0.003, 0.028), tall);
    float y = (wick.y - 0.028) / tall;
    vec3 fire = mix(vec3(0.25, 0.35, 1.1), mix(vec3(9.0, 6.4, 2.9), vec3(7.0, 2.9, 0.6), smoothstep(0.35, 1.0, y)), smoothstep(0.02, 0.22, y));
    c = mix(c, fire, body * mix(0.45, 1.0, smoothstep(0.0, 0.25, y)));
  }
  return c;
}

vec3 photo(vec2 uv) {
  float edge = -0.44;
  vec3 c = scene(uv);
  if (uv.y < edge) {
    float depth = edge - uv.y;
    vec3 table = vec3(0.028, 0.014, 0.009) * (0.6 + 0.7 * noise(vec2(uv.x * 4.0, uv.y * 90.0)));
    float pools = 0.0;
    for (int i = 0; i < 3; i++) pools += exp(-3.6 * length((uv - vec2(-0.30 + 0.29 * float(i), -0.56)) * vec2(1.0, 2.2)));
    table += vec3(0.34, 0.15, 0.05) * pools * (0.55 + 0.5 * noise(vec2(uv.x * 5.0, uv.y * 120.0)));
    vec2 ripple = vec2(0.016, 0.05) * (random2() - 0.5) * (0.4 + 4.0 * depth);
    vec3 mirror = scene(vec2(uv.x, -1.08 - uv.y) + ripple + vec2(0.0, 0.02));
    bool body = false;
    for (int i = 0; i < 3; i++) {
      vec2 foot = i == 0 ? vec2(-0.30, -0.50) : i == 1 ? vec2(0.02, -0.58) : vec2(0.27, -0.47);
      float wide = i == 0 ? 0.062 : i == 1 ? 0.075 : 0.070;
      float base = foot.y - 0.03 * sqrt(max(0.0, 1.0 - pow((uv.x - foot.x) / wide, 2.0)));
      if (abs(uv.x - foot.x) < wide && uv.y > base) body = true;
    }
    if (!body) c = table + mirror * 0.20 * exp(-depth * 1.6);
  }
  return c * 1.15;
}

// The end of the pier, evening, someone looking after a ferry.

vec3 photo(vec2 uv) {
  vec2 sun = vec2(-0.20, 0.20);
  float horizon = 0.04;
  vec3 c = mix(vec3(1.05, 0.52, 0.27), vec3(0.40, 0.36, 0.50), smoothstep(horizon, 0.62, uv.y));
  c = mix(c, vec3(0.13, 0.18, 0.34), smoothstep(0.35, 1.1, uv.y));
  float cloud = smoothstep(0.44, 0.80, fbm(vec2(uv.x * 1.1, uv.y * 4.2) + 0.6 * fbm(uv * 2.0 + 5.0, 4), 7));
  float below = smoothstep(0.44, 0.80, fbm(vec2(uv.x * 1.1, (uv.y + 0.035) * 4.2) + 0.6 * fbm(uv * 2.0 + 5.0, 4), 7));
  c = mix(c, mix(vec3(0.34, 0.24, 0.34), vec3(1.35, 0.62, 0.34), clamp(0.4 + 3.0 * (cloud - below), 0.0, 1.0)), cloud * 0.72 * step(horizon, uv.y));
  c += vec3(1.4, 0.75, 0.32) * (0.50 * exp(-3.0 * length(uv - sun)) + 6.0 * smoothstep(0.062, 0.056, length(uv - sun)));
  float isle = horizon + 0.055 * exp(-pow((uv.x - 0.62) * 3.0, 2.0)) + 0.012 * fbm(vec2(uv.x * 7.0, 1.0), 5) - 0.010;
  c = mix(c, vec3(0.36, 0.23, 0.28), smoothstep(0.004, -0.004, uv.y - isle));
  vec2 f = uv - vec2(-0.42, horizon + 0.008);
  c = mix(c, vec3(0.22, 0.15, 0.20), smoothstep(0.003, -0.003, min(min(box2(f, vec2(0.034, 0.006)), box2(f - vec2(0.003, 0.011), vec2(0.020, 0.006))), box2(f - vec2(0.008, 0.024), vec2(0.004, 0.008)))));
  if (uv.y < horizon) {
    float d = horizon - uv.y;
    vec2 w = vec2(uv.x / (d + 0.10), 1.0 / (d + 0.05));
    float swell = fbm(w * vec2(1.6, 2.2), 5), chop = fbm(w * vec2(5.0, 6.0) + 4.0, 4);
    c = mix(vec3(0.62, 0.33, 0.24), vec3(0.050, 0.075, 0.125), smoothstep(0.0, 0.55, d));
    c *= 0.65 + 0.7 * swell;
    float lane = exp(-pow((uv.x - sun.x) / (0.07 + 0.36 * d), 2.0));
    c += vec3(2.2, 1.15, 0.48) * lane * smoothstep(0.48, 0.66, chop) * (0.9 - 0.6 * d) + vec3(0.4, 0.2, 0.1) * lane * 0.5;
  }
  float d = -0.085 - uv.y;
  vec2 end = vec2(0.13, -0.085);
  if (d > 0.0) {
    float mid = end.x + 0.10 * d, half_ = 0.085 + 0.62 * d, x = (uv.x - mid) / half_;
    if (abs(x) < 1.0) {
      float z = 1.0 / (d + 0.085), board = z * 4.6;
      float joint = smoothstep(0.42, 0.5, abs(fract(board) - 0.5)), grain = noise(vec2(x * 26.0, floor(board) * 3.0)) * noise(vec2(x * 90.0, board * 2.0));
      c = vec3(0.075, 0.055, 0.058) * (0.5 + 1.2 * grain) * (0.8 + 0.4 * hash1(floor(board)));
      c += vec3(0.85, 0.42, 0.19) * (0.22 + 0.5 * grain) * exp(-pow((uv.x - sun.x - 0.10) / (0.22 + 0.8 * d), 2.0)) * smoothstep(0.9, 0.0, d);
      c *= 1.0 - 0.75 * joint * smoothstep(0.0, 0.06, d);
      c = mix(c, vec3(0.75, 0.36, 0.18), smoothstep(0.035, 0.0, d) * 0.4);
    } else if (abs(x) < 1.0 + 0.10) c = vec3(0.018, 0.014, 0.018);
  }
  for (int i = 0; i < 7; i++) {
    float depth = pow(1.55, float(i)) * 0.030, foot = -0.085 - depth, mid = end.x + 0.10 * depth, half_ = 0.085 + 0.62 * depth, tall = 0.11 * half_ / 0.16;
    for (int s = 0; s < 2; s++) {
      float side = s == 0 ? -1.0 : 1.0;
      vec2 q = uv - vec2(mid + side * half_ * 0.97, foot);
      float post = max(abs(q.x) - 0.016 * half_ / 0.16, max(-q.y - 0.05 * half_ / 0.16, q.y - tall));
      c = mix(c, vec3(0.020, 0.015, 0.018), smoothstep(0.002, -0.002, post));
    }
  }
  for (int s = 0; s < 2; s++) {
    float side = s == 0 ? -1.0 : 1.0;
    for (int level = 0; level < 2; level++) {
      float up = level == 0 ? 0.96 : 0.55, dd = clamp((-0.085 - uv.y + up * 0.11 * 0.085 / 0.16) / (1.0 - up * 0.11 * 0.62 / 0.16), 0.0, 2.0);
      float half_ = 0.085 + 0.62 * dd, x = end.x + 0.10 * dd + side * half_ * 0.97;
      float rope = abs(uv.x - x) - 0.006 * half_ / 0.16;
      if (dd > 0.022) c = mix(c, vec3(0.022, 0.016, 0.018), smoothstep(0.002, -0.002, rope));
    }
  }
  vec2 p = (uv - vec2(0.115, -0.150)) / 1.05;
  float coat = box2(p - vec2(0.0, 0.115), vec2(0.021 + 0.020 * smoothstep(0.19, 0.03, p.y), 0.068)) - 0.012;
  float person = blend(coat, length((p - vec2(0.002, 0.226)) * vec2(1.08, 0.92)) - 0.0235, 0.012);
  person = min(person, min(segment(p, vec2(-0.014, 0.05), vec2(-0.016, -0.012)) - 0.0095, segment(p, vec2(0.014, 0.05), vec2(0.015, -0.012)) - 0.0095));
  person = blend(person, segment(p, vec2(0.012, 0.232), vec2(0.052, 0.246 + 0.006 * sin(p.x * 90.0))) - 0.0055 * smoothstep(0.06, 0.01, p.x), 0.010);
  person = min(person, segment(p, vec2(0.030, 0.165), vec2(0.044, 0.085)) - 0.0095);
  c = mix(c, vec3(0.016, 0.011, 0.014) + vec3(1.5, 0.7, 0.28) * smoothstep(-0.007, 0.0, person) * smoothstep(0.02, -0.03, p.x), smoothstep(0.0022, -0.0022, person));
  return c + vec3(0.10, 0.05, 0.02) * exp(-1.8 * length(uv - sun));
}

// A lamp and a bench in fog, a bare tree reaching in.
#include "tree.glsl"

vec3 photo(vec2 uv) {
  vec2 lamp = vec2(-0.17, 0.40);
  float d = length((uv - lamp) * vec2(1.0, 0.92));
  float drift = fbm(uv * vec2(1.6, 2.6) + 0.7 * fbm(uv * 2.0, 3), 5);
  float fog = 0.040 + 0.20 * exp(-1.7 * d) + 0.26 * exp(-4.2 * d);
  fog *= 0.75 + 0.5 * drift;
  vec2 cone = uv - lamp;
  fog += 0.085 * smoothstep(0.62, 0.1, abs(cone.x) / (0.20 - cone.y * 0.9)) * step(cone.y, 0.0) * exp(1.15 * cone.y);
  float light = fog;
  for (int k = 0; k < 4; k++) {
    float depth = float(k), x0 = -0.52 + 0.31 * depth + 0.12 * hash1(depth * 3.0), foot = -0.40 - 0.05 * depth;
    float trunk = abs(uv.x - x0 - 0.02 * sin(uv.y * 5.0 + depth)) - 0.014 - 0.006 * depth - 0.02 * smoothstep(-0.3, -0.5, uv.y);
    light = mix(light, fog * (0.80 - 0.07 * depth), smoothstep(0.010, -0.008, trunk) * step(foot, uv.y));
  }
  float path = -0.46 - 0.02 * sin(uv.x * 2.0);
  if (uv.y < path) {
    float far = path - uv.y;
    float stones = noise(vec2(uv.x * 30.0 / (far + 0.25), 12.0 / (far + 0.12)));
    float lit = exp(-3.2 * length((uv - vec2(lamp.x, -0.60)) * vec2(1.0, 1.9)));
    float lane = smoothstep(0.03, -0.03, abs(uv.x - lamp.x - 0.16 - 0.55 * far) - 0.24 - 0.62 * far);
    light = mix(0.016 + 0.09 * lit * noise(uv * vec2(60.0, 140.0)), 0.026 + 0.40 * lit * (0.6 + 0.5 * stones), lane);
    light = mix(light, fog, 0.55 * exp(-far * 5.0));
    light *= 1.0 - 0.6 * smoothstep(0.02, 0.0, abs(uv.x - lamp.x - 0.30 * far) - 0.014) * exp(-far * 4.0);
  }
  float post = min(abs(uv.x - lamp.x) - 0.0095 - 0.006 * smoothstep(-0.2, -0.5, uv.y), box2(uv - vec2(lamp.x, -0.50), vec2(0.026, 0.045)));
  post = max(post, max(uv.y - lamp.y + 0.05, -0.545 - uv.y));
  light = mix(light, 0.010, smoothstep(0.003, -0.003, post));
  vec2 h = uv - lamp;
  float cage = max(abs(h.x) - 0.040 - 0.25 * h.y * step(h.y, 0.06), abs(h.y) - 0.055);
  float roof = max(abs(h.x) - 0.062 + 0.75 * (h.y - 0.055), max(0.052 - h.y, h.y - 0.115));
  light = mix(light, 7.0, smoothstep(0.004, -0.004, cage));
  light = mix(light, 0.012, smoothstep(0.003, -0.003, min(roof, min(abs(abs(h.x) - 0.043 - 0.2 * h.y), abs(h.x)) - 0.0028 + 9.0 * step(0.056, abs(h.y)))));
  vec2 b = uv - vec2(0.21, -0.565);
  float bench = min(box2(b - vec2(0.0, 0.055), vec2(0.185, 0.008)), box2(b - vec2(0.012, 0.105), vec2(0.180, 0.010)));
  bench = min(bench, box2(b - vec2(0.016, 0.142), vec2(0.180, 0.010)));
  for (int i = 0; i < 2; i++) {
    float s = i == 0 ? -0.15 : 0.15;
    bench = min(bench, min(segment(b, vec2(s, 0.055), vec2(s - 0.012, -0.03)) - 0.007, segment(b, vec2(s + 0.008, 0.15), vec2(s + 0.022, -0.02)) - 0.007));
    bench = min(bench, segment(b, vec2(s - 0.012, 0.085), vec2(s + 0.012, 0.088)) - 0.006);
  }
  vec2 under = (b + vec2(-0.03, 0.035)) * vec2(1.0, 4.2);
  light *= 1.0 - 0.72 * exp(-pow(length(under) * 4.6, 4.0));
  light = mix(light, 0.014 + 0.16 * smoothstep(-0.004, 0.001, bench) * smoothstep(0.1, -0.2, b.x), smoothstep(0.003, -0.003, bench));
  float branches = tree(turn(1.02) * (uv - vec2(0.78, 0.62)) * 0.92 - vec2(0.0, -0.30));
  light = mix(light, 0.012, smoothstep(0.003, -0.002, branches) * 0.96);
  vec2 leaf = uv * vec2(26.0, 34.0), cell = floor(leaf), f = turn(hash2(cell) * 6.0) * (fract(leaf) - 0.5);
  if (uv.y < path - 0.03 && hash2(cell + 4.0) > 0.80) light = mix(light, light * 0.35 + 0.02, smoothstep(0.08, 0.0, length(f * vec2(1.0, 2.0)) - 0.16));
  return vec3(light * 1.5);
}
